// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Synchronization

/// Where the refresh token of one sign-in is kept between runs.
public struct TokenStorage: Sendable {
    /// What was read last, by its bytes: each sync looks several times whose tokens these are.
    private final class Read: Sendable {
        let last = Mutex<(secret: [UInt8], tokens: StoredTokens)?>(nil)
    }

    private let secrets: any SecretStore
    private let name: String
    private let read = Read()

    /// - Parameters:
    ///   - client: the identity of the store's client, which names the secret.
    ///   - secrets: where it is kept.
    public init(client: String, in secrets: some SecretStore) {
        self.secrets = secrets
        name = client.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// Tokens that end with the process.
    public static func memory() -> TokenStorage { TokenStorage(client: "session", in: MemorySecrets()) }

    /// The tokens kept, or `nil`.
    ///
    /// - Throws: ``ClientError/Code/file`` when what is kept cannot be read.
    public func load() throws -> StoredTokens? {
        guard let secret = try secrets.secret(name) else {
            read.last.withLock { $0 = nil }
            return nil
        }
        if let last = read.last.withLock({ $0 }), last.secret == secret { return last.tokens }
        guard let tokens = try? JSONDecoder().decode(StoredTokens.self, from: Data(secret)) else {
            throw ClientError(.file, "The sign-in that was kept cannot be read.", advice: "Sign out and in again.")
        }
        read.last.withLock { $0 = (secret, tokens) }
        return tokens
    }

    /// Keeps tokens in the place of those before, at once or not at all.
    public func save(_ tokens: StoredTokens) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try secrets.keep([UInt8](encoder.encode(tokens)), as: name)
    }

    /// Forgets them; nothing happens when there are none.
    public func remove() throws {
        read.last.withLock { $0 = nil }
        try secrets.remove(name)
    }
}

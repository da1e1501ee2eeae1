// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
import TidelineStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Accounts {
    /// How long a token for another password is good, in seconds.
    public static let resetInSeconds: Int64 = 60 * 60

    /// What lets whoever holds it give a user another password, once, within an hour.
    ///
    ///     <user>.<end>.<signature>
    ///
    /// Nothing is stored: the hash that stands there now is signed with it, so any other password ends it.
    ///
    /// - Parameter key: a secret that all processes of the server have.
    /// - Returns: `nil` where there is no such user, or an inactive one.
    public func resetToken(id: Value, directory: UserDirectory, key: [UInt8]) throws -> String? {
        guard let entry = try directory.entry(id: id), !entry.user.isDisabled else { return nil }
        let user = Base64URL.text(Array(PackedValue.pack(id).utf8))
        let end = environment.now() + Self.resetInSeconds
        return "\(user).\(end).\(Self.signature(user, end, entry, directory, key))"
    }

    /// Gives the user of a token another password, ends lock-out and signs every device out.
    ///
    /// - Returns: the user.
    /// - Throws: ``AccountsError`` with `invalidToken` or `unacceptablePassword`; errors of the stores.
    @discardableResult
    public func reset(_ token: String, password: String, directory: UserDirectory, key: [UInt8]) throws -> User {
        let user = try user(ofResetToken: token, directory: directory, key: key)
        try setPassword(password, id: user.id, directory: directory)
        return user
    }

    /// Whose password a token is for.
    ///
    /// - Throws: ``AccountsError`` with `invalidToken`; errors of the store.
    public func user(ofResetToken token: String, directory: UserDirectory, key: [UInt8]) throws -> User {
        let refusal = AccountsError(.invalidToken, "The link was used already, is older than an hour, or is no link.")
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= 1024, let end = Int64(parts[1]), end > environment.now(),
            let packed = Self.text(base64url: parts[0])
        else { throw refusal }
        let id = PackedValue.unpack(packed)
        guard !id.isNull, let entry = try directory.entry(id: id), !entry.user.isDisabled else { throw refusal }
        let signature = Self.signature(String(parts[0]), end, entry, directory, key)
        guard KeyedSignature.isSame(signature, parts[2]) else { throw refusal }
        return entry.user
    }

    private static func signature(
        _ user: String,
        _ end: Int64,
        _ entry: DirectoryEntry,
        _ directory: UserDirectory,
        _ key: [UInt8]
    ) -> String {
        let text = "reset\n\(directory.domain)\n\(directory.name)\n\(user)\n\(end)\n\(entry.hash?.text ?? "")"
        return KeyedSignature.text(of: text, key: key)
    }

    private static func text(base64url text: Substring) -> String? {
        let plain = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).flatMap { String(validating: Array($0), as: UTF8.self) }
    }
}

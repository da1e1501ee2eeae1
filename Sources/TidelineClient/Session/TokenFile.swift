// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Tokens in a file that its owner alone can read (mode 0600), outside the store file.
///
/// A save writes another file, makes it durable and renames it into place: a reader sees the tokens before or after.
public struct TokenFile: TokenStorage {
    public let path: String

    /// - Parameters:
    ///   - client: the identity of the store's client, which names the file.
    ///   - folder: the user's configuration folder.
    public init(client: String, folder: String = UserFolder.path) {
        let name = client.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        path = "\(folder)/tokens/\(name).json"
    }

    public func load() throws -> StoredTokens? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        guard let tokens = try? JSONDecoder().decode(StoredTokens.self, from: data) else {
            throw ClientError(.file, "The file \(path) cannot be read.", advice: "Delete it and sign in again.")
        }
        return tokens
    }

    public func save(_ tokens: StoredTokens) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let data = try encoder.encode(tokens)
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw failure("The folder \(folder) cannot be made.")
        }
        let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0 ... .max))"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("The file \(temporary) cannot be made.") }
        var isWritten = unsafe data.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                guard let start = bytes.baseAddress else { return true }
                let count = unsafe write(descriptor, start + offset, bytes.count - offset)
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
        isWritten = isWritten && fsync(descriptor) == 0
        isWritten = close(descriptor) == 0 && isWritten
        if isWritten { isWritten = unsafe rename(temporary, path) == 0 }
        guard isWritten else {
            _ = unsafe unlink(temporary)
            throw failure("The file \(path) cannot be written.")
        }
    }

    public func remove() throws {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw failure("The file \(path) cannot be removed.") }
    }

    private func failure(_ what: String) -> ClientError {
        ClientError(.file, what, advice: "Make the folder writable for you, or free space.")
    }
}

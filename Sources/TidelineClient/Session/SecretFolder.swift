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

/// Secrets in files that their owner alone can read (mode 0600), outside of every store file.
///
/// A write makes another file, keeps it on the disk and renames it into place: a reader sees the secret before or after.
public struct SecretFolder: SecretStore {
    /// The folder; it is made when it is missing, for its owner alone.
    public let path: String

    public init(path: String) { self.path = path }

    /// The file of a secret.
    private func file(_ name: String) throws -> String {
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
            throw ClientError(.file, "No secret can be named '\(name)'.", advice: "Use letters, digits and hyphens.")
        }
        return path + "/" + name
    }

    public func secret(_ name: String) throws -> [UInt8]? {
        let path = try file(name)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ClientError(.file, "The file \(path) cannot be read.", advice: "Make it readable for you.")
        }
        return [UInt8](data)
    }

    public func keep(_ secret: [UInt8], as name: String) throws {
        let path = try file(name)
        let data = Data(secret)
        do {
            try FileManager.default.createDirectory(
                atPath: self.path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw failure("The folder \(self.path) cannot be made.")
        }
        let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0 ... .max))"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("The file \(temporary) cannot be made.") }
        var isWritten = unsafe data.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                guard let start = bytes.baseAddress else { return true }
                let count = unsafe write(descriptor, start + offset, bytes.count - offset)
                if count < 0, errno == EINTR { continue }
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
        // The name as well, where the file system does that: after a loss of power the file of before would stand there.
        let folder = unsafe open(self.path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        _ = fsync(folder)
        close(folder)
    }

    public func remove(_ name: String) throws {
        let path = try file(name)
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw failure("The file \(path) cannot be removed.") }
    }

    private func failure(_ what: String) -> ClientError {
        ClientError(.file, what, advice: "Make the folder writable for you, or free space.")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files that appear whole or not at all.
public enum AtomicFile {
    /// Writes a file beside its place, brings it to the disk, and renames it into place.
    ///
    /// - Parameters:
    ///   - permissions: of the new file, `0o600` for a secret.
    /// - Throws: ``DomainError`` `unreadable` with the system's reason; the file that was there is as before then.
    public static func write(_ bytes: some Collection<UInt8>, to path: String, permissions: UInt32 = 0o644)
        throws(DomainError)
    {
        let temporary = path + ".tmp-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let file = SystemFile.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions: permissions)
        guard file >= 0 else { throw failure("create", temporary) }
        do throws(DomainError) {
            defer { close(file) }
            guard SystemFile.write(Array(bytes), to: file), fsync(file) == 0 else { throw failure("write", temporary) }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        guard unsafe rename(temporary, path) == 0 else {
            let error = failure("rename", temporary)
            unsafe unlink(temporary)
            throw error
        }
        syncFolder(of: path)
    }

    /// Reads a whole file.
    ///
    /// - Throws: ``DomainError`` `unreadable` with the system's reason.
    public static func read(_ path: String) throws(DomainError) -> [UInt8] {
        let file = SystemFile.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open", path) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe SystemFile.read(file, $0) }
            guard count >= 0 else { throw failure("read", path) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Makes the rename itself durable.
    private static func syncFolder(of path: String) {
        let parent = path.lastIndex(of: "/").map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
        let folder = SystemFile.open(parent, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private static func failure(_ verb: String, _ path: String) -> DomainError {
        let reason = unsafe String(cString: strerror(errno))
        return DomainError(.unreadable, file: path, message: "Cannot \(verb) the file: \(reason).")
    }
}

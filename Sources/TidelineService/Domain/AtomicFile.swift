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
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(permissions))
        guard file >= 0 else { throw failure("create", temporary) }
        do throws(DomainError) {
            defer { close(file) }
            try writeAll(Array(bytes), to: file, path: temporary)
            guard fsync(file) == 0 else { throw failure("write", temporary) }
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
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("open", path) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Self.read(file, $0) }
            guard count >= 0 else { throw failure("read", path) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    private static func read(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.read(file, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
        unsafe Musl.read(file, buffer.baseAddress, buffer.count)
        #else
        unsafe Darwin.read(file, buffer.baseAddress, buffer.count)
        #endif
    }

    private static func write(_ file: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.write(file, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
        unsafe Musl.write(file, buffer.baseAddress, buffer.count)
        #else
        unsafe Darwin.write(file, buffer.baseAddress, buffer.count)
        #endif
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32, path: String) throws(DomainError) {
        var offset = 0
        while offset < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(file, UnsafeRawBufferPointer(rebasing: buffer[offset...]))
            }
            guard written > 0 else { throw failure("write", path) }
            offset += written
        }
    }

    /// Makes the rename itself durable.
    private static func syncFolder(of path: String) {
        let parent = path.lastIndex(of: "/").map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
        let folder = unsafe open(parent, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private static func failure(_ verb: String, _ path: String) -> DomainError {
        let reason = unsafe String(cString: strerror(errno))
        return DomainError(.unreadable, file: path, message: "Cannot \(verb) the file: \(reason).")
    }
}

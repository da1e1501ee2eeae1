// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files as a whole: copied, moved into place and removed so that no half of one is ever seen under its name.
package enum FileSystem {
    /// A name beside a path that nobody uses.
    static func temporaryName(beside path: String) -> String { "\(path).new-\(UInt32.random(in: 0...UInt32.max))" }

    /// The bytes of a file, or `nil` when there is none.
    static func size(of path: String) -> Int? {
        var information = stat()
        guard unsafe stat(path, &information) == 0 else { return nil }
        return Int(information.st_size)
    }

    static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return unsafe stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    /// Copies a file to a name that is free, onto the disk.
    static func copy(_ path: String, to target: String) throws {
        guard let input = unsafe fopen(path, "r") else { throw failed("'\(path)' cannot be read") }
        defer { unsafe _ = fclose(input) }
        guard let output = unsafe fopen(target, "wx") else { throw failed("'\(target)' cannot be made") }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var isWhole = true
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, input) }
            guard count > 0 else { break }
            let written = unsafe buffer.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, count, output) }
            if written != count {
                isWhole = false
                break
            }
        }
        isWhole = unsafe isWhole && ferror(input) == 0 && fflush(output) == 0 && fsync(fileno(output)) == 0
        // Closing and removing may set another reason.
        var reason = errno
        if unsafe fclose(output) != 0, isWhole { (isWhole, reason) = (false, errno) }
        guard isWhole else {
            remove(target)
            throw failed("'\(path)' cannot be copied to '\(target)'", reason: reason)
        }
    }

    /// Gives a whole file its name, in place of what had it, and keeps that on the disk.
    package static func replace(_ path: String, with temporary: String) throws {
        guard unsafe rename(temporary, path) == 0 else { throw failed("'\(path)' cannot be replaced") }
        synchronize(folderOf: path)
    }

    /// Keeps what a file has on the disk.
    package static func synchronize(_ path: String) throws {
        guard let descriptor = opened(path) else { throw failed("'\(path)' cannot be read") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failed("'\(path)' cannot be kept") }
    }

    /// Keeps the bytes of an open file on the disk, and of the rest what is needed to read them.
    static func keep(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        fsync(descriptor) == 0
        #else
        fdatasync(descriptor) == 0
        #endif
    }

    /// Makes the folders of a path that are missing, for their owner alone.
    ///
    /// What fails shows when the file is written.
    static func makeFolder(of path: String) {
        var folder = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/").dropLast() {
            folder += name
            _ = unsafe mkdir(folder, 0o700)
            folder += "/"
        }
    }

    /// The names in a folder; none when there is no such folder.
    static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe _ = closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Keeps the names in a folder on the disk.
    static func synchronize(folderOf path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        guard let descriptor = opened(folder.isEmpty ? "/" : folder) else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private static func opened(_ path: String) -> Int32? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe _ = fclose(file) }
        let copy = unsafe dup(fileno(file))
        return copy < 0 ? nil : copy
    }

    static func remove(_ path: String) { unsafe _ = unlink(path) }

    /// Removes a database with the files that SQLite keeps beside it.
    static func removeDatabase(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { remove(path + suffix) }
    }

    /// - Parameter reason: the number of the error that the system gave.
    static func failed(_ what: String, reason: Int32 = errno) -> LocalStoreError {
        let isFull = [ENOSPC, EDQUOT, EFBIG].contains(reason)
        return LocalStoreError(
            isFull ? .full : .io,
            message: "\(what): \(unsafe String(cString: strerror(reason)))."
        )
    }
}

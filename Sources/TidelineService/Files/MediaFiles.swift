// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files that the streams of a domain are kept in, each named by its content.
///
///     <folder>/3f/3f2504e0…   64 hexadecimal digits, the SHA-256 of the bytes: what the row's column holds
///     <folder>/new/…          being written
///
/// A file gets its name inside the transaction that writes the name into a row, when its bytes are on the disk. So a
/// row never names a file that is not there; a file that no row names, as after a crash or a deletion, is removed by
/// ``sweep(keeping:olderThan:)``. A name that is no such digits is never looked for.
public final class MediaFiles: Sendable {
    public let folder: String

    /// - Parameter folder: made when the first file is written.
    public init(folder: String) {
        self.folder = folder
    }

    /// Begins a file.
    ///
    /// - Parameter limit: the most bytes that it may get.
    /// - Throws: ``SpoolError`` when it cannot be made.
    public func begin(limit: Int) throws(SpoolError) -> MediaUpload {
        for path in [folder, folder + "/new"] where unsafe mkdir(path, 0o700) != 0 && errno != EEXIST {
            throw SpoolError(.create, reason: errno)
        }
        let path = "\(folder)/new/\(UInt64.random(in: 0 ... .max))-\(getpid())"
        let file = Self.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
        guard file >= 0 else { throw SpoolError(.create, reason: errno) }
        return MediaUpload(owning: file, path: path, limit: limit)
    }

    /// Gives a file that was written whole its place.
    ///
    /// In the transaction that writes its name into a row; that may be run again.
    ///
    /// - Returns: its name.
    func adopt(_ upload: MediaUpload) throws(SpoolError) -> String {
        let name = try upload.finish()
        let part = "\(folder)/\(name.prefix(2))"
        guard unsafe mkdir(part, 0o700) == 0 || errno == EEXIST else { throw SpoolError(.create, reason: errno) }
        let path = "\(part)/\(name)"
        if unsafe rename(upload.path, path) != 0 {
            // Run again: it has its place already.
            guard errno == ENOENT, unsafe access(path, F_OK) == 0 else { throw SpoolError(.write, reason: errno) }
        }
        Self.sync(part)
        Self.sync(folder)
        return name
    }

    /// The file of a name, open, or `nil` where there is none, or the name is no name of a file.
    func file(_ name: String) -> (file: Int32, count: Int)? {
        guard Self.isName(name) else { return nil }
        let file = Self.open("\(folder)/\(name.prefix(2))/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        let count = lseek(file, 0, SEEK_END)
        guard count >= 0 else {
            close(file)
            return nil
        }
        return (file, Int(count))
    }

    /// Removes the files that no row names, and what was never finished.
    ///
    /// - Parameters:
    ///   - names: the names in all rows; read in the transaction in which this runs.
    ///   - age: in seconds; what is younger stays, since its row may be on its way.
    /// - Returns: how many were removed.
    func sweep(keeping names: Set<String>, olderThan age: Int) -> Int {
        var removed = 0
        for part in Self.entries(folder) {
            guard part == "new" || part.utf8.count == 2 else { continue }
            for name in Self.entries("\(folder)/\(part)") {
                guard part == "new" || Self.isName(name) && !names.contains(name) else { continue }
                let path = "\(folder)/\(part)/\(name)"
                var status = stat()
                guard unsafe lstat(path, &status) == 0, Self.age(of: status) >= age else { continue }
                if unsafe unlink(path) == 0 { removed += 1 }
            }
        }
        return removed
    }

    static func isName(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || $0 >= 0x61 && $0 <= 0x66 }
    }

    private static func age(of status: stat) -> Int {
        #if canImport(Darwin)
        Int(unsafe time(nil)) - status.st_mtimespec.tv_sec
        #else
        Int(time(nil)) - status.st_mtim.tv_sec
        #endif
    }

    private static func open(_ path: String, _ flags: Int32) -> Int32 {
        #if canImport(Glibc)
        unsafe Glibc.open(path, flags, mode_t(0o600))
        #elseif canImport(Musl)
        unsafe Musl.open(path, flags, mode_t(0o600))
        #else
        unsafe Darwin.open(path, flags, mode_t(0o600))
        #endif
    }

    private static func sync(_ path: String) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        fsync(file)
        close(file)
    }

    private static func entries(_ path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

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
///     <folder>/gone/…         named by no row when it was last looked at; back at once when a row names it
///
/// A file gets its name inside the transaction that writes the name into a row, when its bytes are on the disk. So a
/// row never names a file that is not there; a file that no row names, as after a crash or a deletion, is put aside by
/// ``sweep(keeping:olderThan:)`` and removed after ``grace``. A name that is no such digits is never looked for.
public final class MediaFiles: Sendable {
    public let folder: String
    /// How long a file is kept aside, in seconds: a domain's file that was changed by mistake can be changed back.
    static let grace = 30 * 86_400

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
        let file = SystemFile.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions: 0o600)
        guard file >= 0 else { throw SpoolError(.create, reason: errno) }
        return MediaUpload(owning: file, path: path, limit: limit)
    }

    /// Gives a file that was written whole its place.
    ///
    /// In the transaction that writes its name into a row; that may be run again.
    ///
    /// - Returns: its name.
    package func adopt(_ upload: MediaUpload) throws(SpoolError) -> String {
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
        let path = "\(folder)/\(name.prefix(2))/\(name)"
        var file = SystemFile.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if file < 0, restore(name) { file = SystemFile.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard file >= 0 else { return nil }
        let count = lseek(file, 0, SEEK_END)
        guard count >= 0 else {
            close(file)
            return nil
        }
        return (file, Int(count))
    }

    /// Puts aside the files that no row names, and removes what was never finished or has been aside for ``grace``.
    ///
    /// - Parameters:
    ///   - names: the names in all rows.
    ///   - age: in seconds; what is younger stays, since its row may be on its way.
    /// - Returns: how many were put aside or removed.
    func sweep(keeping names: Set<String>, olderThan age: Int) -> Int {
        var swept = 0
        for part in Self.entries(folder) where part == "new" || part == "gone" || part.utf8.count == 2 {
            for name in Self.entries("\(folder)/\(part)") where part == "new" || Self.isName(name) {
                if names.contains(name) {
                    if part == "gone" { _ = restore(name) }
                    continue
                }
                let path = "\(folder)/\(part)/\(name)"
                var status = stat()
                let limit = part == "gone" ? max(age, Self.grace) : age
                guard unsafe lstat(path, &status) == 0, Self.age(of: status) >= limit else { continue }
                let isDone = part == "new" || part == "gone" ? unsafe unlink(path) == 0 : putAside(path, name)
                if isDone { swept += 1 }
            }
        }
        return swept
    }

    private func putAside(_ path: String, _ name: String) -> Bool {
        let gone = "\(folder)/gone"
        guard unsafe mkdir(gone, 0o700) == 0 || errno == EEXIST else { return false }
        // From now on its age is the time that it has been aside.
        _ = unsafe utimes(path, nil)
        return unsafe rename(path, "\(gone)/\(name)") == 0
    }

    /// Gives a file that was put aside its place again.
    private func restore(_ name: String) -> Bool {
        _ = unsafe mkdir("\(folder)/\(name.prefix(2))", 0o700)
        return unsafe rename("\(folder)/gone/\(name)", "\(folder)/\(name.prefix(2))/\(name)") == 0
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

    private static func sync(_ path: String) {
        let file = SystemFile.open(path, O_RDONLY | O_CLOEXEC)
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

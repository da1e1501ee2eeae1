// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Questions about paths, and small changes of files.
enum FilePath {
    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The size of a file in bytes; zero where there is none.
    static func size(_ path: String) -> Int64 {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Who may read and write a file, as `chmod` says it.
    static func permissions(_ path: String) -> UInt32 {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? UInt32(status.st_mode) & 0o777 : 0o600
    }

    /// Whether two paths lead to one file.
    static func isSame(_ left: String, _ right: String) -> Bool {
        var first = stat()
        var second = stat()
        guard unsafe stat(left, &first) == 0, unsafe stat(right, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// The path from the root, links followed; the path itself where there is no such file.
    static func absolute(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// A path that counts from a folder, which is there, unless it begins at the root; without `..` at its beginning.
    static func resolve(_ path: String, in folder: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        // No link is left in it, so that what is above is what its path says.
        var folder = absolute(folder)
        var rest = path[...]
        while rest.hasPrefix("../"), folder.hasPrefix("/"), let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) {
            folder = String(folder[..<slash])
            rest = rest.dropFirst(3)
        }
        return folder + "/" + rest
    }

    /// - Throws: ``CommandFailure`` when the folder in which a file is to be made is not there, or may not be written.
    static func requireFolder(of file: String) throws {
        let slash = file.lastIndex(of: "/")
        let folder = slash.map { $0 > file.startIndex ? String(file[..<$0]) : "/" } ?? "."
        guard isFolder(folder) else {
            throw CommandFailure("There is no folder \(folder).", next: "Make it first, or name another place.")
        }
        guard unsafe access(folder, W_OK | X_OK) == 0 else {
            throw CommandFailure(
                "\(file) cannot be made.",
                why: "The folder \(absolute(folder)) may not be written.",
                next: "Make it writable (chmod u+w), or name another place."
            )
        }
    }

    /// - Throws: ``CommandFailure`` with the system's reason.
    static func rename(_ old: String, to new: String) throws {
        guard systemRename(old, new) == 0 else {
            throw CommandFailure("\(old) cannot be renamed to \(new).", why: reason())
        }
    }

    /// Removes a file or an empty folder, if it is there.
    static func remove(_ path: String) { _ = systemRemove(path) }

    /// Makes an empty file that only its owner reads, unless there is a file.
    ///
    /// - Throws: ``CommandFailure`` with the system's reason.
    static func makePrivate(_ path: String) throws {
        let file = unsafe open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CommandFailure("\(path) cannot be made.", why: reason()) }
        close(file)
    }

    private static func reason() -> String { unsafe String(cString: strerror(errno)) + "." }
}

private func systemRename(_ old: String, _ new: String) -> Int32 { unsafe rename(old, new) }
private func systemRemove(_ path: String) -> Int32 { unsafe remove(path) }

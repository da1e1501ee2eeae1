// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file beside its place in which a copy is made until it is whole: `shop.sqlite.tmp-4711`.
///
/// Whoever makes it holds a lock on `shop.sqlite.tmp-4711.lock`, which the system lets go when the process ends, in whatever
/// container. The lock is on a file of its own: on the draft it could meet those of SQLite, on macOS and over NFS.
struct BackupDraft {
    let path: String
    private let lock: Int32

    /// Makes it, empty, for its owner alone, whatever the database is: it will hold all of it.
    ///
    /// - Throws: ``StorageError`` with `io` where no file can be made there.
    init(beside target: String) throws {
        (path, lock) = try Self.lockedName(beside: target)
        let file = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            // What has the name is not ours.
            unsafe unlink(path + Self.lockSuffix)
            close(lock)
            throw Self.failure(target)
        }
        close(file)
    }

    func remove() {
        Self.remove(path)
        close(lock)
    }

    /// Removes the drafts of processes that ended before the copy was whole.
    static func removeAbandoned(beside target: String) {
        let (folder, base) = parted(target)
        let prefix = base + ".tmp-"
        for name in names(in: folder) where name.hasPrefix(prefix) && name.hasSuffix(lockSuffix) {
            // "4711", and no more: what somebody else named so stays.
            let number = name.dropFirst(prefix.count).dropLast(lockSuffix.count)
            guard let value = UInt32(number), number == "\(value)" else { continue }
            let draft = "\(folder)/\(prefix)\(number)"
            let lock = unsafe open(draft + lockSuffix, O_RDWR | O_CLOEXEC)
            guard lock >= 0 else { continue }
            if flock(lock, LOCK_EX | LOCK_NB) == 0, isThere(lock) { remove(draft) }
            close(lock)
        }
    }

    private static let lockSuffix = ".lock"

    /// A name that nobody has, and the lock on it.
    private static func lockedName(beside target: String) throws -> (path: String, lock: Int32) {
        while true {
            let path = "\(target).tmp-\(UInt32.random(in: 0 ... .max))"
            let lock = unsafe open(path + lockSuffix, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
            guard lock >= 0 else {
                if errno == EEXIST { continue }
                throw failure(target)
            }
            // Where the system has no locks nobody else gets one either, and all drafts stay.
            let isOurs = flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
            // Who looked for abandoned drafts just then found it without a lock, and takes it away.
            if isOurs, isThere(lock) { return (path, lock) }
            close(lock)
        }
    }

    /// Whether an open file still has a name.
    private static func isThere(_ file: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(file, &status) == 0 && status.st_nlink > 0
    }

    private static func failure(_ target: String) -> StorageError {
        StorageError(.io, message: "No file can be made beside '\(target)'.")
    }

    private static func parted(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder.isEmpty ? "/" : folder) else { return [] }
        defer { unsafe _ = closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }

    /// Removes what belongs to a draft: what stands beside it before the draft, so that no log of it is left without it, and
    /// the lock last, by which the rest is found.
    private static func remove(_ path: String) {
        for suffix in ["-journal", "-wal", "-shm", "", lockSuffix] { unsafe unlink(path + suffix) }
    }
}

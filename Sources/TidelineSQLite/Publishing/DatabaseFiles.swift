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

/// The file of a database and what SQLite lays beside it, without which it may not be whole.
///
/// Another database must not be read with that, so a name is free only where none of them is there.
package enum DatabaseFiles {
    private static let suffixes = ["", "-wal", "-shm", "-journal"]

    /// Those that are there, the database first.
    package static func present(at path: String) -> [String] { presentSuffixes(at: path).map { path + $0 } }

    /// The name itself, or the first with a number that is free: `shop.sqlite.before-restore-2`.
    package static func free(_ path: String) -> String {
        var name = path
        var number = 2
        while !present(at: name).isEmpty {
            name = "\(path)-\(number)"
            number += 1
        }
        return name
    }

    /// The file that a path leads to, links followed, whether it is there or not.
    ///
    /// What SQLite lays beside a database lies beside that.
    package static func resolved(_ path: String) -> String {
        var path = path
        // As many as Linux follows.
        for _ in 0..<40 {
            guard let target = link(path) else { break }
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            path = target.hasPrefix("/") ? target : folder + target
        }
        return path
    }

    /// Moves what is there; all of it or nothing.
    ///
    /// - Throws: ``StorageError`` with `io`, also where the other name is not free.
    static func move(_ path: String, to other: String) throws {
        if let taken = present(at: other).first {
            throw StorageError(.io, message: "'\(path)' cannot be moved: there is a file '\(taken)'.")
        }
        var moved: [String] = []
        for suffix in presentSuffixes(at: path) {
            guard unsafe rename(path + suffix, other + suffix) == 0 else {
                for suffix in moved { unsafe rename(other + suffix, path + suffix) }
                throw StorageError(.io, message: "The file '\(path + suffix)' cannot be moved to '\(other + suffix)'.")
            }
            moved.append(suffix)
        }
    }

    static func remove(_ path: String) {
        for suffix in suffixes { unsafe unlink(path + suffix) }
    }

    private static func presentSuffixes(at path: String) -> [String] {
        suffixes.filter { unsafe access(path + $0, F_OK) == 0 }
    }

    /// What a symbolic link says; `nil` for all else.
    private static func link(_ path: String) -> String? {
        let most = 4096
        var bytes = [CChar](repeating: 0, count: most)
        let count = unsafe readlink(path, &bytes, most)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The database at the path of one that is restored.
enum RestoreTarget {
    /// Lends it; where none can be opened an empty one, and what lies there is moved away as it is.
    ///
    /// It is moved, and not written over: a server that has it open notices that, and opens the new one.
    ///
    /// - Parameters:
    ///   - kept: where it goes; without it a file that is no database stays, and is refused.
    ///   - body: gets what lay there in the place of a database, too.
    /// - Throws: ``StorageError`` with `corrupt` or `io`, and what `body` throws: all lies as it did then.
    static func lend<Result>(
        _ path: String,
        keeping kept: String?,
        _ body: (DatabaseQueue, _ found: ReplacedDatabase?) throws -> Result
    ) throws -> Result {
        var status = stat()
        let isThere = unsafe stat(path, &status) == 0
        if isThere, let database = try opened(path, isRequired: kept == nil) { return try body(database, nil) }
        if let kept { try DatabaseFiles.move(path, to: kept) }
        var isMade = false
        do {
            let mode = isThere ? status.st_mode & 0o777 : 0o644
            let file = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
            guard file >= 0 else { throw StorageError(.io, message: "The file '\(path)' cannot be made.") }
            isMade = true
            // For those who may use the other one; what the system does not allow is left as it is.
            if isThere, fchown(file, status.st_uid, status.st_gid) == 0 { _ = fchmod(file, mode) }
            close(file)
            return try body(try SQLiteConnections.queue(path: path), isThere ? .unreadable : .missing)
        } catch {
            if isMade { DatabaseFiles.remove(path) }
            if let kept { try DatabaseFiles.move(kept, to: path) }
            throw error
        }
    }

    private static func opened(_ path: String, isRequired: Bool) throws -> DatabaseQueue? {
        do {
            // To read: who writes carries the log beside a file into it when it closes that, and removes the log.
            try SQLiteConnections.queue(path: path, isReadOnly: true).close()
        } catch let error as StorageError where error.code == .corrupt && !isRequired {
            return nil
        }
        return try SQLiteConnections.queue(path: path)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
public import TidelineModel
import TidelineStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Copies of a published database, and the way back, while other programs use it.
///
///     database ──write──► FILE          one moment of it, checked, one file without a journal
///     FILE ──restore──► database        one transaction for all who have it open; a new epoch begins in it
///
/// Source: SQLite, "Online Backup API".
public enum SQLiteBackup {
    /// Writes a copy to a file that is not there yet; reads and writes of the database go on.
    ///
    /// The file gets its name when it is whole, was checked and is on disk.
    ///
    /// - Parameter isCancelled: asked again and again, until the copy is whole, whether to give it up; no file is left then.
    /// - Throws: ``StorageError``: `unsupported` when there is such a file, or one that SQLite would read with it; `corrupt`
    ///   when the database is damaged; `full`, `io`. `CancellationError` when it was given up.
    public static func write(
        _ path: String,
        to file: String,
        isCancelled: @escaping () -> Bool = { false }
    ) throws {
        try write(path, to: file, isChecked: true, isCancelled: isCancelled)
    }

    private static func write(
        _ path: String,
        to file: String,
        isChecked: Bool,
        isCancelled: @escaping () -> Bool
    ) throws {
        if let other = DatabaseFiles.present(at: file).first {
            throw StorageError(.unsupported, message: "There is a file '\(other)' already.")
        }
        let source = try SQLiteConnections.queue(path: path, isReadOnly: true)
        try withCopy(of: source, beside: file, isChecked: isChecked, isCancelled: isCancelled) { copy, temporary in
            try SQLiteStore.mapped { try copy.close() }
            try synchronize(temporary)
            guard unsafe rename(temporary, file) == 0 else {
                throw StorageError(.io, message: "The file '\(file)' cannot be made.")
            }
        }
    }

    /// Puts a copy in the place of all that a published database holds.
    ///
    /// Who reads meanwhile reads on what was there; a position of before is not served any more. Nobody writes between the
    /// moment that is kept and the end.
    ///
    /// Where no database can be opened at the path, or there is no file, one is made; what lies there is moved to `kept`.
    /// A symbolic link stays, and leads to the new one.
    ///
    /// A key that was given since the copy was made is given to no other row, for devices know rows by them. Of a table of
    /// which the database does not tell which were given, a million are left out (`Capture.margin`).
    ///
    /// - Parameters:
    ///   - model: that of the domain, whose tables the copy must have.
    ///   - kept: a file that is not there yet, nor any that SQLite would read with it, which gets what the database held,
    ///     damaged or not. Without it a file that is no database is refused.
    ///   - keepsKeys: whether keys are looked after. Otherwise the database counts on from the copy, as where files are
    ///     copied by hand.
    /// - Returns: what the copy took the place of.
    /// - Throws: ``StorageError``: `unsupported` when the copy is none of a published database; `schemaChanged` when it
    ///   lacks a table of the model, or a column, which `properties` names; `corrupt` when it is damaged; `busy` when
    ///   others write for too long; `full` and `io` where nothing can be kept. The database is as it was then.
    @discardableResult
    public static func restore(
        _ file: String,
        into path: String,
        model: EntityModel,
        keeping kept: String? = nil,
        keepsKeys: Bool = true
    ) throws -> ReplacedDatabase {
        let path = DatabaseFiles.resolved(path)
        let backup = try SQLiteConnections.queue(path: file, isReadOnly: true)
        return try withCopy(of: backup, beside: path, isChecked: true, isCancelled: { false }) { copy, _ in
            try SQLiteStore.mapped {
                try copy.writeWithoutTransaction { connection throws -> ReplacedDatabase in
                    try SQLiteConnections.transaction(connection) { try beginEpoch(connection, model) }
                    return try RestoreTarget.lend(path, keeping: kept) { target, found throws -> ReplacedDatabase in
                        let size = try target.writeWithoutTransaction { try number($0, "PRAGMA page_size") }
                        // A database in WAL mode keeps its page size.
                        if try number(connection, "PRAGMA page_size") != size {
                            try SQLiteConnections.run(connection, "PRAGMA page_size = \(size)")
                            try SQLiteConnections.run(connection, "VACUUM")
                        }
                        var replaced = found ?? .published
                        try replace(target, with: connection) {
                            if found == nil, let kept {
                                try write(path, to: kept, isChecked: false, isCancelled: { false })
                            }
                            var given: GivenKeys?
                            if found == nil { (given, replaced) = try givenKeys(path) }
                            guard keepsKeys else { return }
                            try SQLiteConnections.transaction(connection) {
                                let names = Set(model.sets.map(\.names.database))
                                try Capture(connection: connection).keep(given, of: names)
                            }
                        }
                        return replaced
                    }
                }
            }
        }
    }

    /// Copies a database over another one, page by page.
    ///
    /// - Parameter isLocked: done once nobody else writes the other one, which still reads as it was; what it changes in
    ///   the source is copied too.
    private static func replace(
        _ target: DatabaseQueue,
        with source: Database,
        _ isLocked: @escaping () throws -> Void
    ) throws {
        try target.writeWithoutTransaction { destination in
            // With a journal of the other kind nobody could read beside the lock.
            try SQLiteConnections.run(destination, "PRAGMA journal_mode = WAL")
            var isFirst = true
            try source.backup(to: destination, pagesPerStep: 1) { _ in
                guard isFirst else { return }
                isFirst = false
                try isLocked()
            }
        }
    }

    /// The keys that were given in a database, and what it is; none where it is damaged, which a backup is there to mend.
    ///
    /// So it is where a table of ours is gone.
    private static func givenKeys(_ path: String) throws -> (GivenKeys?, ReplacedDatabase) {
        do {
            let given = try SQLiteStore.mapped {
                try SQLiteConnections.queue(path: path, isReadOnly: true).read {
                    try Capture(connection: $0).givenKeys()
                }
            }
            return (given, given == nil ? .unpublished : .published)
        } catch let error as StorageError where error.code == .corrupt || error.code == .schemaChanged {
            return (nil, .damaged)
        }
    }

    /// Checks that a copy is one of the domain's database, and begins an epoch in it.
    private static func beginEpoch(_ connection: Database, _ model: EntityModel) throws {
        let capture = Capture(connection: connection)
        guard try capture.isInstalled() else {
            throw StorageError(.unsupported, message: "The backup is none of a published database.")
        }
        for set in model.sets where !set.isReadOnly {
            guard let shape = try TableShape(set.names.database, in: connection) else {
                throw StorageError(
                    .schemaChanged,
                    set: set.names.wire,
                    message: "The backup has no table \(set.names.database)."
                )
            }
            let columns = Set(shape.columns.map(\.name))
            let missing = (set.type.keyColumns + set.type.capturedColumns).first { !columns.contains($0) }
            guard let missing else { continue }
            throw StorageError(
                .schemaChanged,
                set: set.names.wire,
                properties: [missing],
                message: "The backup has no table \(set.names.database) with the column \(missing)."
            )
        }
        try capture.noteReuse()
        try capture.complete()
        try capture.setState("epoch", capture.random())
    }

    /// Lends a checked copy in a file of its own, one file whatever the journal of the original; it is removed at the
    /// end unless it was renamed.
    private static func withCopy<Result>(
        of source: DatabaseQueue,
        beside path: String,
        isChecked: Bool,
        isCancelled: @escaping () -> Bool,
        _ body: (DatabaseQueue, _ temporary: String) throws -> Result
    ) throws -> Result {
        BackupDraft.removeAbandoned(beside: path)
        let draft = try BackupDraft(beside: path)
        defer { draft.remove() }
        let temporary = draft.path
        let copy = try SQLiteConnections.queue(path: temporary)
        try SQLiteStore.mapped {
            try copy.writeWithoutTransaction { connection in
                try copyPages(of: source, to: connection, isCancelled)
                try SQLiteConnections.run(connection, "PRAGMA journal_mode = DELETE")
                guard try !isChecked || text(connection, "PRAGMA quick_check(1)") == "ok" else {
                    throw StorageError(.corrupt, message: "The copy is damaged, and so is what it was made from.")
                }
                if isCancelled() { throw CancellationError() }
            }
        }
        return try body(copy, temporary)
    }

    /// Copies all pages as they are at one moment, some at a time.
    private static func copyPages(
        of source: DatabaseQueue,
        to copy: Database,
        _ isCancelled: @escaping () -> Bool
    ) throws {
        try source.read { original in
            // A transaction begins with what it reads first: without it each step would, and begin anew after a write.
            _ = try number(original, "SELECT count(*) FROM sqlite_schema")
            try original.backup(to: copy, pagesPerStep: 1_000) { _ in
                if isCancelled() { throw CancellationError() }
            }
        }
    }

    private static func synchronize(_ path: String) throws {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw StorageError(.io, message: "The file '\(path)' cannot be read.") }
        defer { close(file) }
        guard fsync(file) == 0 else { throw StorageError(.io, message: "The file '\(path)' cannot be written.") }
    }

    private static func text(_ connection: Database, _ sql: String) throws -> String {
        let statement = try PreparedStatement(connection, sql)
        defer { statement.reset() }
        return try statement.step() ? statement.string(0) ?? "" : ""
    }

    private static func number(_ connection: Database, _ sql: String) throws -> Int64 {
        let statement = try PreparedStatement(connection, sql)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }
}

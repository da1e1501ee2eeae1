// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
public import TidelineModel
public import TidelineStorage

/// A store over an SQLite file: a database that was published in place, or one that Tideline made for itself.
///
/// Reads run on a few connections of their own, each in a snapshot; writes queue on one connection, and a write that
/// returned is on disk. Those that wait at the same time are committed together, one after the other as they came. Other
/// programs may use the file at the same time.
public final class SQLiteStore: Store {
    /// How a file is opened.
    public struct Options: Sendable {
        /// Whether changes are captured in a log: the feed of a published database.
        public var isTracked: Bool
        /// The wire names of properties whose changes narrow deltas, by the wire name of their set.
        public var scopes: [String: [String]]
        /// How long a transaction waits for other programs before it fails as busy.
        public var busyTimeout: Duration
        /// How long one statement may take before it is stopped; zero for no limit.
        public var statementTimeout: Duration
        /// The most connections that read at the same time.
        public var maximumReaders: Int
        /// Tells the time for ``statementTimeout``, and for how long writes go together.
        package var clock: @Sendable () -> ContinuousClock.Instant = { ContinuousClock().now }

        public init(
            isTracked: Bool = true,
            scopes: [String: [String]] = [:],
            busyTimeout: Duration = .seconds(10),
            statementTimeout: Duration = .seconds(30),
            maximumReaders: Int = 8
        ) {
            self.isTracked = isTracked
            self.scopes = scopes
            self.busyTimeout = busyTimeout
            self.statementTimeout = statementTimeout
            self.maximumReaders = maximumReaders
        }

        /// For a database that nothing is synchronised from, such as that of the accounts.
        public static let untracked = Options(isTracked: false)
    }

    public let model: EntityModel
    private let pool: DatabasePool
    private let readers: SQLiteReaders
    private let context: SQLiteContext
    let commits: GroupCommit
    private let file: OpenedFile?
    /// The log and its index, which must go with the file.
    private let logs: [OpenedFile]
    /// Whether SQLite opened the file for reading alone, because it could not be written.
    private let isReadOnly: Bool

    /// Opens an existing file.
    ///
    /// - Throws: ``StorageError``: `io` when there is no such file, `corrupt` when it is no database, `unsupported`
    ///   when changes are to be captured and it was never published, or when an operation cannot be prepared.
    public init(path: String, model: EntityModel, options: Options = Options()) throws {
        self.model = model
        // Looked at before it is opened: what is put in its place meanwhile is noticed.
        file = OpenedFile(path)
        let (pool, readers) = try SQLiteConnections.open(path: path, options: options)
        self.pool = pool
        self.readers = readers
        isReadOnly = pool.writeWithoutTransaction { unsafe sqlite3_db_readonly($0.sqliteConnection, "main") == 1 }
        var etagKey: [UInt8] = []
        var searched: [String: String] = [:]
        var reusing: Set<String> = []
        var replacing: Set<String> = []
        if options.isTracked {
            (etagKey, searched, reusing, replacing) = try Self.mapped {
                try pool.writeWithoutTransaction { connection in
                    try SQLiteConnections.transaction(connection) {
                        try Self.openCapture(connection, model: model, scopes: options.scopes)
                    }
                }
            }
        }
        let operations = try Self.mapped {
            try readers.read { connection in
                try model.operations.compactMap { try CompiledOperation($0, of: model, on: connection) }
            }
        }
        context = SQLiteContext(
            model: model,
            isTracked: options.isTracked,
            etagKey: etagKey,
            searched: searched,
            reusing: reusing,
            replacing: replacing,
            operations: operations
        )
        commits = GroupCommit(context, clock: options.clock)
        logs = ["-wal", "-shm"].compactMap { OpenedFile(path + $0) }
    }

    /// Makes sure of capture and gives it the scopes that the policies of today need.
    ///
    /// - Returns: the key of the ETags, the rowid column of each table with a full-text index, the tables in which SQLite
    ///   may give a key twice, and those whose constraints remove rows.
    private static func openCapture(
        _ connection: Database,
        model: EntityModel,
        scopes: [String: [String]]
    ) throws -> (etagKey: [UInt8], searched: [String: String], reusing: Set<String>, replacing: Set<String>) {
        let capture = Capture(connection: connection)
        guard try capture.isInstalled(), let key = try capture.stateBytes("etag") else {
            throw StorageError.uncapturedDatabase
        }
        // First what was lost, then new scopes: making triggers anew would hide the loss.
        let lost = try capture.lostTables()
        if !lost.isEmpty { try capture.restore(lost) }
        try capture.noteReuse()
        try model.requireCapture(of: Set(capture.tables().map(\.name)))
        try capture.setColumns(model.capturedColumns)
        try capture.setScopes(Introspection.scopeColumns(scopes, model: model))
        try capture.setItems(of: model)
        try capture.setReadings(CapturedReadings(model))
        try ConflictLog(connection: connection).create()
        try capture.complete()
        let index = SearchIndex(connection: connection)
        let searched = try index.update(model, lost: Set(lost.map(\.name)))
        let tables = model.sets.map(\.names.database)
        let replacing = try tables.filter { try TableShape($0, in: connection)?.replaces == true }
        return (key, searched, try KeyReuse.watched(connection), Set(replacing))
    }

    public func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
        for _ in 0..<3 {
            do {
                return try Self.mapped {
                    try readers.read { connection in
                        let reader = SQLiteReader(connection: connection, context: context)
                        // Before the closure, so that no handler meets a loss half-way and takes it for its own.
                        if context.isTracked { try reader.verifyCapture() }
                        return try body(reader)
                    }
                }
            } catch is CaptureLost {
                try write { _ = try $0.position() }
            }
        }
        // The schema changes faster than it can be looked at: hold it still.
        return try write { try body($0) }
    }

    public func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        var outcome: Result?
        return try withoutActuallyEscaping(body) { body in
            let member = GroupCommit.Member { outcome = try body($0) }
            commits.add(member)
            commits.finish(member) { pool.writeWithoutTransaction($0) }
            if let failure = member.failure { throw failure }
            guard let outcome else { throw StorageError(.io, message: "The transaction did not end.") }
            return outcome
        }
    }

    public func compact(_ retention: LogRetention, now: Int64, limit: Int) throws -> LogCompaction {
        try Self.mapped {
            try pool.writeWithoutTransaction { connection in
                try SQLiteConnections.transaction(connection) {
                    try ConflictLog(connection: connection).prune(keeping: retention.seconds, now: now)
                    return try ChangeLog(connection: connection).compact(retention, now: now, limit: limit)
                }
            }
        }
    }

    /// Whether the file was removed or replaced since it was opened, or can be written and could not be then.
    public var place: StorePlace {
        guard let file else { return .same }
        if file.isInPlace { return isReadOnly && file.isWritable ? .changed : .same }
        return file.isGone || !logs.contains(where: \.isInPlace) ? .changed : .besideOldLog
    }

    /// Closes the connections; the store cannot be used afterwards.
    public func close() throws {
        context.forgetPlans()
        try Self.mapped {
            try readers.close()
            try pool.close()
        }
    }

    /// Limits the file to a number of pages: what a full disk looks like, for tests.
    package func limitPages(_ pages: Int) throws {
        try Self.mapped {
            try pool.writeWithoutTransaction { try SQLiteConnections.run($0, "PRAGMA max_page_count = \(pages)") }
        }
    }

    /// Errors of GRDB as errors of the store.
    static func mapped<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw SQLiteFailure(error).storageError
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import GRDB
import GRDBSQLite
import Synchronization
public import TidelineModel

/// A device's store: one SQLite file with the entities of a model, the outbox, and what is known of the server.
///
/// Reads see one snapshot and never wait for a writer; writes queue. The forms without `await` block the thread; the
/// others run on threads of the store.
public final class LocalStore: Sendable {
    /// The model, with the names and storage forms that the tables of the file have.
    public var model: EntityModel { layout.model }

    let layout: StoreLayout
    let settings: StoreSettings
    let path: String
    let broadcaster = CommitBroadcaster()
    /// What live lists read with.
    let live: LiveConnection
    /// The columns that each set's staged rows have, by the place of the set.
    let stagedColumns = Mutex<[Int: [Int]]>([:])
    private let pool: DatabasePool
    private let writer = WriterConnection()
    private let threads = DispatchQueue(label: "tideline.store.work", attributes: .concurrent)
    private let isClosed = Mutex(false)

    /// Makes a new store file for a model, for example that of a service's `$metadata`, and opens it.
    ///
    /// - Throws: ``LocalStoreError``: `exists` when the file exists (it is not touched), `unsupported` when the model
    ///   has names that no file can hold, `full`, `io`.
    public static func create(
        path: String,
        model: EntityModel,
        origin: StoreOrigin? = nil,
        settings: StoreSettings = StoreSettings()
    ) throws -> LocalStore {
        try StoreFile.create(path: path, model: model, origin: origin)
        return try LocalStore(path: path, settings: settings)
    }

    /// Opens a store file.
    ///
    /// - Throws: ``LocalStoreError``: `notFound`, `foreignFile` and `newerFormat` (the file is not touched), `corrupt`,
    ///   `busy`, `io`.
    public init(path: String, settings: StoreSettings = StoreSettings()) throws {
        self.settings = settings
        self.path = path
        let pool = try StoreFile.open(path: path, settings: settings)
        self.pool = pool
        live = LiveConnection(path: path, settings: settings)
        layout = try SQLiteRefusal.translated { try pool.read { try StoreFile.layout($0) } }
        // From here on the commits of others are seen.
        pool.writeWithoutTransaction { _ = writer.open($0, layout) }
        if settings.identityFolder != nil { try checkIdentity() }
    }

    /// Closes the file; every later call throws ``LocalStoreError/Code/closed``.
    public func close() throws {
        guard
            isClosed.withLock({ closed in
                defer { closed = true }
                return !closed
            })
        else { return }
        broadcaster.finish()
        live.close()
        pool.writeWithoutTransaction { database in
            writer.close(database)
            // The whole content is in the one file then, so that it can be moved or copied.
            _ = try? database.checkpoint(.truncate)
        }
        try SQLiteRefusal.translated { try pool.close() }
    }

    private func checkOpen() throws {
        guard !isClosed.withLock({ $0 }) else {
            throw LocalStoreError(.closed, message: "The store was closed.")
        }
    }

    // MARK: Connections

    /// Runs `body` on a reading connection in one snapshot.
    func reading<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try checkOpen()
        return try SQLiteRefusal.translated {
            try pool.read { database in try body(Connection(database, layout)) }
        }
    }

    /// Runs `body` on the writing connection in one transaction, and tells live results which rows it touched.
    ///
    /// - Parameter isDurable: whether the commit reaches the disk before this returns, and all commits before it too.
    func writing<Result>(
        durably isDurable: Bool = false,
        _ body: (Connection) throws -> (Result, touched: TouchedRows)
    ) throws -> Result {
        try checkOpen()
        return try SQLiteRefusal.translated {
            try pool.writeWithoutTransaction { database in
                let connection = writer.open(database, layout)
                try connection.setDurable(isDurable)
                var outcome: (Result, touched: TouchedRows)?
                do {
                    try connection.run("BEGIN IMMEDIATE")
                    // What another process committed before is told with this commit.
                    if broadcaster.isHeard, try writer.sawOthers() { broadcaster.tell(.whole(layout)) }
                    let result = try body(connection)
                    outcome = result
                    try Task.checkCancellation()
                    broadcaster.announce(result.touched)
                    try connection.run("COMMIT")
                    broadcaster.committed()
                } catch {
                    broadcaster.abandoned()
                    // SQLite has rolled back already after a full disk or an I/O error.
                    if unsafe sqlite3_get_autocommit(database.sqliteConnection) == 0 {
                        _ = try? connection.run("ROLLBACK")
                    }
                    throw error
                }
                guard let outcome else { throw LocalStoreError(.io, message: "The transaction did not end.") }
                return outcome.0
            }
        }
    }

    /// Runs blocking work on a thread of the store.
    ///
    /// What the task that waits is cancelled for, the work does not see.
    func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            threads.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    // MARK: Reading and writing

    /// Runs `body` in one snapshot.
    ///
    /// Blocks the thread; never waits for a writer.
    @_disfavoredOverload
    public func read<Result>(_ body: (LocalReader) throws -> Result) throws -> Result {
        try reading { try body(LocalReader($0)) }
    }

    /// Runs `body` in one snapshot, on a thread of the store.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (LocalReader) throws -> Result
    ) async throws -> Result {
        try await onThread { try self.reading { try body(LocalReader($0)) } }
    }

    /// Runs `body` in one transaction, and records its changes in the outbox.
    ///
    /// Blocks the thread; writers queue.
    ///
    ///     try store.write { tx in
    ///         let order = try tx.insert(["OrderStatus": .integer(0)], into: "Orders")
    ///         try tx.insert(["Order": order.values[0]], into: "OrderDetails")
    ///     }
    ///
    /// Foreign keys and unique values are checked at the end, so a swap passes. The transaction stays one: the server
    /// applies all of it or nothing.
    /// - Throws: what `body` throws, or ``LocalStoreError`` when the changes break a rule; nothing is changed then.
    @discardableResult
    @_disfavoredOverload
    public func write<Result>(_ body: (LocalTransaction) throws -> Result) throws -> Result {
        try writing { connection in
            let transaction = LocalTransaction(connection)
            defer { transaction.end() }
            let result = try body(transaction)
            _ = try transaction.finish(settings)
            return (result, try transaction.touched(broadcaster))
        }
    }

    /// Runs `body` in one transaction, on a thread of the store.
    ///
    /// Cancelling before the commit leaves the store as it was.
    @discardableResult
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (LocalTransaction) throws -> Result
    ) async throws -> Result {
        let isCancelled = Flag()
        return try await withTaskCancellationHandler {
            try await onThread {
                try self.write { transaction in
                    if isCancelled.isSet { throw CancellationError() }
                    let result = try body(transaction)
                    if isCancelled.isSet { throw CancellationError() }
                    return result
                }
            }
        } onCancel: {
            isCancelled.set()
        }
    }

    /// What waits.
    public func status() throws -> StoreStatus {
        try reading { connection in
            StoreStatus(
                pendingTransactions: Int(
                    try connection.integer("SELECT COUNT(DISTINCT number) FROM tideline_outbox")
                ),
                sentTransactions: Int(try connection.integer("SELECT COUNT(*) FROM tideline_sent")),
                quarantined: Int(try connection.integer("SELECT COUNT(*) FROM tideline_quarantine")),
                conflicts: Int(try connection.integer("SELECT COUNT(*) FROM tideline_conflicts"))
            )
        }
    }
}

extension LocalStore {
    /// Looks once whether another connection than this store's committed, and tells those who listen.
    ///
    /// Waits for a writer of this store.
    func lookForOthers() throws {
        try checkOpen()
        try SQLiteRefusal.translated {
            try pool.writeWithoutTransaction { database in
                _ = writer.open(database, layout)
                if try writer.sawOthers() { broadcaster.tell(.whole(layout)) }
            }
        }
    }

    /// Runs blocking work on a thread of the store, after a time.
    func later(_ time: Duration, _ body: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = time.components
        let wait = Double(seconds) + Double(attoseconds) / 1e18
        threads.asyncAfter(deadline: .now() + wait, execute: body)
    }
}

/// The writing connection with its compiled statements.
///
/// `@unchecked Sendable`: the serial queue of the pool's one writing connection guards it. Each call takes that
/// connection's `Database`, which exists only inside `pool.writeWithoutTransaction`.
private final class WriterConnection: @unchecked Sendable {
    private var connection: Connection?
    /// SQLite's `data_version` of this connection: another one when others committed, and only then.
    private var version: Int64?

    func open(_ database: Database, _ layout: StoreLayout) -> Connection {
        if let connection { return connection }
        let new = Connection(database, layout)
        connection = new
        version = try? new.integer("PRAGMA main.data_version")
        return new
    }

    /// Whether another connection committed since this was asked last, or since the connection was first used.
    func sawOthers() throws -> Bool {
        guard let connection else { return false }
        let now = try connection.integer("PRAGMA main.data_version")
        defer { version = now }
        return version != now
    }

    /// Forgets the statements, so that the database can be closed.
    func close(_ database: Database) { connection = nil }
}

/// A flag that one thread sets and another reads.
private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}

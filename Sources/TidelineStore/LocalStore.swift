// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import GRDB
import GRDBSQLite
import Synchronization
public import TidelineModel
import TidelineSQLite

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
    /// What a temporary store lies in.
    private let folder: VanishingFolder?
    /// What the store was opened with, for files that are brought to the same model.
    let migrator: Migrator?
    /// How often the model in the file was replaced when it was opened.
    let revision: Int64
    let broadcaster = CommitBroadcaster()
    let bells = CommitBells()
    /// What live lists read with.
    let live: LiveConnection
    /// What lies in the hidden tables for no claim.
    let unclaimed = PullClaim.Work()
    let endedPull = PullClaim.Ended()
    /// The connections that reads use, at most five at a time.
    let readers: SQLiteReaders
    /// The connection that writes; its readers make backups alone.
    let pool: DatabasePool
    let writer = WriterConnection()
    /// The file that was opened.
    let file: OpenedFile?
    /// What reading connections keep compiled.
    let known = KnownStatements()
    let threads = DispatchQueue(label: "tideline.store.work", attributes: .concurrent)
    let isClosed = Mutex(false)
    /// Whether no write may hold a lock of the file, see ``suspend()``.
    let isSuspended = Mutex(false)

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
        try StoreFile.create(path: path, model: model, origin: origin, settings: settings)
        return try LocalStore(path: path, settings: settings)
    }

    /// Opens a store file.
    ///
    /// - Throws: ``LocalStoreError``: `notFound`, `foreignFile` and `newerFormat` (the file is not touched), `corrupt`,
    ///   `busy`, `io`.
    public convenience init(path: String, settings: StoreSettings = StoreSettings()) throws {
        try self.init(path: path, settings: settings, migrator: nil)
    }

    /// Opens a store file, and brings it to the model of a migrator.
    init(path: String, settings: StoreSettings, migrator: Migrator?, folder: VanishingFolder? = nil) throws {
        self.settings = settings
        self.folder = folder
        self.path = path
        self.migrator = migrator
        file = OpenedFile(path)
        let pool = try StoreFile.open(path: path, settings: settings)
        self.pool = pool
        live = LiveConnection(path: path, settings: settings)
        readers = StoreFile.readers(path: path, settings: settings)
        (layout, revision) = try SQLiteRefusal.translated { [readers] in
            try migrator?.run(on: pool)
            return try readers.use { try StoreFile.layout($0) }
        }
        // From here on the commits of others are seen.
        pool.writeWithoutTransaction { _ = writer.open($0, layout) }
        if settings.identityFolder != nil { try checkIdentity() }
        try removeStrays()
    }

    /// Closes the file; every later call throws ``LocalStoreError/Code/closed``.
    ///
    /// It waits for the write that runs. Everything is in the one file then, unless another process has it open, or the
    /// disk is full or fails: the rest stays in the file's log beside it, where the next opening finds it.
    public func close() throws {
        if beginClosing() { try finishClosing(waits: false) }
    }

    /// Closes a file that is to be moved or copied: everything is in the one file then.
    ///
    /// - Throws: ``LocalStoreError``: `full`, `io`, when some of it is left in the log beside it; `busy`, when another
    ///   process reads it.
    package func closeWhole() throws {
        guard beginClosing() else { return }
        if let failure = try finishClosing() { try SQLiteRefusal.translated { throw failure } }
    }

    /// Lets no later call in; false where the store was closed before.
    func beginClosing() -> Bool {
        isClosed.withLock { closed in
            defer { closed = true }
            return !closed
        }
    }

    /// - Parameter waits: whether it waits for other processes that read the file; writers wait for it meanwhile.
    /// - Returns: what kept the log from going into the file, or `nil`.
    @discardableResult
    func finishClosing(waits: Bool = true) throws -> (any Error)? {
        broadcaster.finish()
        bells.finish()
        live.close()
        // Readers first: the writer, closed last, takes the files beside the store's away.
        try? readers.close()
        try? readers.release()
        pool.releaseMemory()
        let failure = pool.writeWithoutTransaction { database -> (any Error)? in
            writer.close(database)
            if !waits, let handle = unsafe database.sqliteConnection { unsafe sqlite3_busy_timeout(handle, 0) }
            // The whole content is in the one file then, so that it can be moved or copied.
            do { try database.checkpoint(.truncate) } catch { return error }
            return nil
        }
        try SQLiteRefusal.translated { try pool.close() }
        folder?.remove()
        return failure
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
    /// Foreign keys, unique values and rules are checked at the end, so a swap passes. The transaction stays one: the
    /// server applies all of it or nothing.
    /// - Parameter isDurable: whether the transaction, and all before it, is on the disk when this returns, so that it
    ///   survives a loss of power; what ends only the process it survives in any case. It costs what the disk takes for it,
    ///   often some milliseconds.
    /// - Throws: what `body` throws, or ``LocalStoreError`` when the changes break rules, with all of them in
    ///   ``LocalStoreError/failures``; nothing is changed then.
    @discardableResult
    @_disfavoredOverload
    public func write<Result>(
        durably isDurable: Bool = false,
        _ body: (LocalTransaction) throws -> Result
    ) throws -> Result {
        try writing(durably: isDurable) { connection in
            let transaction = LocalTransaction(connection)
            transaction.recordsCascades = settings.recordsCascades
            defer { transaction.end() }
            let result = try transaction.telling { try body(transaction) }
            _ = try transaction.finish(settings)
            return (result, try transaction.touched(broadcaster))
        }
    }

    /// Runs `body` in one transaction, on a thread of the store.
    ///
    /// Cancelling before the commit leaves the store as it was.
    ///
    /// - Parameter isDurable: whether it is on the disk when this returns, as in the form without `await`.
    @discardableResult
    public func write<Result: Sendable>(
        durably isDurable: Bool = false,
        _ body: @escaping @Sendable (LocalTransaction) throws -> Result
    ) async throws -> Result {
        let isCancelled = Flag()
        return try await withTaskCancellationHandler {
            try await onThread {
                try self.write(durably: isDurable) { transaction in
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
}

/// A flag that one thread sets and another reads.
private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}

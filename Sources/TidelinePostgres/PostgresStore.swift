// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Foundation
import Synchronization
public import TidelineModel
public import TidelineStorage

/// A store over a PostgreSQL database that was published, or one that Tideline made for itself.
///
/// Reads and writes each take a connection of a bounded pool for one transaction of isolation REPEATABLE READ. Writers
/// do not queue: who changes what another has changed meanwhile is run again, a few times, so a closure must not mind.
/// Other programs may use the database at the same time. Every call blocks its thread.
public final class PostgresStore: Store {
    public let model: EntityModel
    private let pool: ConnectionPool
    private let conninfo: String
    /// A copy that may lag behind: where reads go that need not be of the database itself.
    private let replica: ConnectionPool?
    /// Until when a copy that could not be reached is not asked.
    private let replicaRest = Mutex<ContinuousClock.Instant?>(nil)
    private static let rest: Duration = .seconds(10)
    private let context: PostgresContext

    /// The most times that a write is run.
    private static let mostAttempts = 12

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - conninfo: a URL (`postgresql://user@host/db?sslmode=verify-full`) or `key=value` pairs, as libpq reads them.
    ///   - model: with the tables and columns that the database has.
    /// - Throws: ``StorageError``: `io` when the server cannot be reached, `unsupported` when changes are to be
    ///   captured and the database was never published, or when an operation cannot be prepared.
    public init(conninfo: String, model: EntityModel, options: PostgresStoreOptions = PostgresStoreOptions()) throws {
        self.model = model
        self.conninfo = conninfo
        pool = ConnectionPool(
            conninfo: conninfo,
            options: options.connection,
            most: options.maximumConnections,
            patience: options.connectionTimeout
        )
        replica = options.replica.map { conninfo in
            ConnectionPool(
                conninfo: conninfo,
                options: options.connection,
                most: options.maximumConnections,
                patience: options.connectionTimeout
            )
        }
        context = try Self.open(pool, model, options)
    }

    /// Looks at the database, and makes sure of capture: again where other servers that open it too were quicker.
    private static func open(
        _ pool: ConnectionPool,
        _ model: EntityModel,
        _ options: PostgresStoreOptions
    ) throws -> PostgresContext {
        try PostgresConnection.mapped {
            var attempt = 1
            while true {
                do {
                    return try pool.transaction(.write) { try context($0, model, options) }
                } catch let failure as PostgresFailure where failure.isTransient && attempt < mostAttempts {
                    pause(after: attempt)
                    attempt += 1
                }
            }
        }
    }

    private static func context(
        _ connection: PostgresConnection,
        _ model: EntityModel,
        _ options: PostgresStoreOptions
    ) throws -> PostgresContext {
        if options.installsFunctions { try PostgresFunctions.install(on: connection) }
        var etagKey: [UInt8] = []
        var searched: Set<String> = []
        if options.isTracked {
            etagKey = try openCapture(connection, model, options)
            searched = try SearchIndex(connection: connection).update(model)
        }
        let columns = try StoreColumns(model: model, connection: connection)
        let dialect = PostgresDialect(columns: columns.columns, searched: searched)
        return PostgresContext(
            model: model,
            columns: columns,
            isTracked: options.isTracked,
            etagKey: etagKey,
            searched: searched,
            operations: try model.operations.compactMap {
                try CompiledOperation($0, of: model, dialect, on: connection)
            }
        )
    }

    /// Makes sure of capture and gives it the scopes that the policies of today need.
    ///
    /// - Returns: the key of the ETags.
    private static func openCapture(
        _ connection: PostgresConnection,
        _ model: EntityModel,
        _ options: PostgresStoreOptions
    ) throws -> [UInt8] {
        let capture = Capture(connection: connection)
        guard try capture.isInstalled(), let key = try capture.etagKey() else { throw StorageError.uncapturedDatabase }
        // First what was lost, then new scopes: making triggers anew would hide the loss.
        if try !capture.isWhole() { try capture.restore() }
        try model.requireCapture(of: Set(capture.tables().filter { $0.schema == options.schema }.map(\.name)))
        var scopes: [String: [String]] = [:]
        for (name, properties) in options.scopes {
            guard let set = model[set: name] else { continue }
            scopes[set.names.database] = properties.compactMap { property in
                set.type.propertyIndex(wire: property).map { set.type.properties[$0].names.database }
            }
        }
        try capture.setColumns(model.capturedColumns, schema: options.schema)
        try capture.setScopes(scopes, schema: options.schema)
        try capture.setItems(of: model, schema: options.schema)
        try capture.setReadings(CapturedReadings(model), schema: options.schema)
        try ConflictLog(connection: connection).create()
        try capture.complete()
        try CommitNotice(connection: connection).createTriggers(on: capture.tables())
        return key
    }

    public func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
        context.isTracked || replica == nil ? try readItself(body) : try readCopy(body)
    }

    private func readItself<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
        for _ in 0..<3 {
            do {
                return try PostgresConnection.mapped {
                    try again(mayRepeat: true) {
                        try pool.transaction(.read) { connection in
                            let reader = PostgresReader(connection: connection, context: context, purpose: .reading)
                            // A closure that made an answer of the loss is run again all the same.
                            let result = Swift.Result { try body(reader) }
                            guard !reader.isCaptureLost else { throw CaptureLost() }
                            if let end = reader.end { throw end }
                            return try result.get()
                        }
                    }
                }
            } catch is CaptureLost {
                try write { _ = try $0.position() }
            }
        }
        throw StorageError(.schemaChanged, message: "The tables change faster than they can be looked at.")
    }

    /// Reads from the replica; from the database itself where there is none or where it cannot be reached.
    public func readCopy<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
        let now = ContinuousClock().now
        guard let replica, replicaRest.withLock({ $0.map { $0 <= now } ?? true }) else { return try readItself(body) }
        do {
            return try again {
                try replica.transaction(.read) { connection in
                    let reader = PostgresReader(connection: connection, context: context, purpose: .readingCopy)
                    let result = Swift.Result { try body(reader) }
                    if let end = reader.end { throw end }
                    return try result.get()
                }
            }
        } catch let failure as PostgresFailure {
            guard failure.isConnectionLost else { throw context.named(failure) }
            replicaRest.withLock { $0 = now + Self.rest }
            return try readItself(body)
        }
    }

    public func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        try PostgresConnection.mapped {
            try again {
                try pool.transaction(.write) { connection in
                    let writer = PostgresWriter(connection: connection, context: context)
                    let result = Swift.Result { try body(writer) }
                    if let end = writer.end { throw end }
                    return try result.get()
                }
            }
        }
    }

    /// Runs a transaction again when others were in its way; they are through by then, or the next time.
    ///
    /// - Parameter mayRepeat: whether it changes nothing, so that it may run again on another connection when its own was
    ///   lost. Of one that writes nobody knows then whether it was committed.
    private func again<Result>(mayRepeat: Bool = false, _ body: () throws -> Result) throws -> Result {
        var attempt = 1
        while true {
            do {
                return try body()
            } catch let failure as PostgresFailure {
                if failure.isConnectionLost {
                    guard mayRepeat, attempt == 1, failure.sqlState != "08001" else { throw failure }
                } else {
                    guard failure.isTransient || failure.isStalePlan, attempt < Self.mostAttempts else {
                        throw context.named(failure)
                    }
                }
                Self.pause(after: attempt)
                attempt += 1
            }
        }
    }

    /// Of those that collide each waits another while, so that one of them gets through.
    private static func pause(after attempt: Int) {
        Thread.sleep(forTimeInterval: Double.random(in: 0...min(0.002 * Double(1 << attempt), 0.2)))
    }

    public func compact(_ retention: LogRetention, now: Int64, limit: Int) throws -> LogCompaction {
        try PostgresConnection.mapped {
            try again {
                try pool.transaction(.write) {
                    try ConflictLog(connection: $0).prune(keeping: retention.seconds, now: now)
                    return try ChangeLog(connection: $0).compact(retention, now: now, limit: limit)
                }
            }
        }
    }

    /// Listens in a session of its own to what the triggers tell at the commit of every other program's transaction.
    public func watch(_ receive: @escaping @Sendable () -> Void) -> (any StoreWatch)? {
        context.isTracked ? CommitListener(conninfo: conninfo, receive) : nil
    }

    /// Closes the connections; the store cannot be used afterwards.
    public func close() {
        pool.close()
        replica?.close()
    }

    /// The version of libpq, as 160002 for 16.2.
    package static var libraryVersion: Int { Int(PQlibVersion()) }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Foundation
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
    /// Where reads go, when not to the database itself.
    private let replica: ConnectionPool?
    private let context: PostgresContext

    /// The most times that a write is run.
    private static let mostAttempts = 12

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - conninfo: a URL (`postgresql://user@host/db?sslmode=verify-full`) or `key=value` pairs, as libpq reads them.
    ///   - model: with the tables and columns that the database has.
    /// - Throws: ``StorageError``: `io` when the server cannot be reached, `unsupported` when changes are to be
    ///   captured and the database was never published.
    public init(conninfo: String, model: EntityModel, options: PostgresStoreOptions = PostgresStoreOptions()) throws {
        self.model = model
        pool = ConnectionPool(
            conninfo: conninfo,
            options: options.connection,
            most: options.maximumConnections,
            patience: options.connectionTimeout
        )
        replica = options.replica.flatMap { conninfo in
            options.isTracked
                ? nil
                : ConnectionPool(
                    conninfo: conninfo,
                    options: options.connection,
                    most: options.maximumConnections,
                    patience: options.connectionTimeout
                )
        }
        let pool = pool
        context = try PostgresConnection.mapped {
            try pool.transaction(.write) { connection in
                if options.installsFunctions { try PostgresFunctions.install(on: connection) }
                var etagKey: [UInt8] = []
                var searched: Set<String> = []
                if options.isTracked {
                    etagKey = try Self.openCapture(connection, model, options)
                    searched = try SearchIndex(connection: connection).update(model)
                }
                let columns = try StoreColumns(model: model, connection: connection)
                return PostgresContext(
                    model: model,
                    columns: columns,
                    isTracked: options.isTracked,
                    etagKey: etagKey,
                    searched: searched
                )
            }
        }
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
        guard try capture.isInstalled(), let key = try capture.etagKey() else {
            throw StorageError(.unsupported, message: "The database is not published: its changes are not captured.")
        }
        // First what was lost, then new scopes: making triggers anew would hide the loss.
        if try !capture.isWhole() { try capture.restore() }
        var scopes: [String: [String]] = [:]
        for (name, properties) in options.scopes {
            guard let set = model[set: name] else { continue }
            scopes[set.names.database] = properties.compactMap { property in
                set.type.propertyIndex(wire: property).map { set.type.properties[$0].names.database }
            }
        }
        try capture.setScopes(scopes, schema: options.schema)
        try capture.setItems(of: model, schema: options.schema)
        return key
    }

    public func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
        let source = replica ?? pool
        for _ in 0..<3 {
            do {
                return try PostgresConnection.mapped {
                    try again {
                        try source.transaction(.read) { connection in
                            let reader = PostgresReader(connection: connection, context: context, isWriting: false)
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
    private func again<Result>(_ body: () throws -> Result) throws -> Result {
        var attempt = 1
        while true {
            do {
                return try body()
            } catch let failure as PostgresFailure {
                guard failure.isTransient || failure.isStalePlan, attempt < Self.mostAttempts else {
                    throw context.named(failure)
                }
                // Of those that collide each waits another while, so that one of them gets through.
                Thread.sleep(forTimeInterval: Double.random(in: 0...min(0.002 * Double(1 << attempt), 0.2)))
                attempt += 1
            }
        }
    }

    /// Removes all but the newest `entries` entries of the change log; the newest one always stays.
    ///
    /// - Returns: how many were removed.
    @discardableResult
    public func compact(keeping entries: Int64) throws -> Int {
        try PostgresConnection.mapped {
            try again { try pool.transaction(.write) { try ChangeLog(connection: $0).compact(keeping: entries) } }
        }
    }

    /// Closes the connections; the store cannot be used afterwards.
    public func close() {
        pool.close()
        replica?.close()
    }

    /// The version of libpq, as 160002 for 16.2.
    package static var libraryVersion: Int { Int(PQlibVersion()) }
}

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

/// How connections are made and transactions are run.
enum SQLiteConnections {
    /// The connection of a store that writes, in WAL mode, and those that read.
    static func open(path: String, options: SQLiteStore.Options) throws -> (DatabasePool, SQLiteReaders) {
        try requireFile(path)
        var configuration = configuration(busyTimeout: options.busyTimeout)
        if options.statementTimeout > .zero {
            configuration.prepareDatabase { connection in
                guard let handle = unsafe connection.sqliteConnection else { return }
                unsafe StatementLimit.install(options.statementTimeout, options.clock, on: handle)
            }
        }
        let pool = try SQLiteStore.mapped {
            let pool = try DatabasePool(path: path, configuration: configuration)
            // GRDB sets NORMAL for WAL, which may lose acknowledged commits with the power.
            try pool.writeWithoutTransaction { try run($0, "PRAGMA synchronous = FULL") }
            return pool
        }
        configuration.readonly = true
        let reading = configuration
        return (
            pool, SQLiteReaders(most: options.maximumReaders) { try DatabaseQueue(path: path, configuration: reading) }
        )
    }

    /// One connection that leaves the journal mode as it is.
    static func queue(path: String, isReadOnly: Bool = false, busyTimeout: Duration = .seconds(10)) throws
        -> DatabaseQueue
    {
        try requireFile(path)
        var configuration = configuration(busyTimeout: busyTimeout)
        configuration.readonly = isReadOnly
        return try SQLiteStore.mapped { try DatabaseQueue(path: path, configuration: configuration) }
    }

    private static func configuration(busyTimeout: Duration) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .patient(busyTimeout)
        configuration.persistentReadOnlyConnections = true
        configuration.prepareDatabase { try register($0) }
        return configuration
    }

    /// Gives a connection the functions and collations that compiled SQL calls, and lets it compile undisturbed.
    private static func register(_ connection: Database) throws {
        guard let handle = unsafe connection.sqliteConnection else { return }
        unsafe SQLiteAuthorizer.remove(from: handle)
        try unsafe SQLiteFunctions.register(on: handle)
    }

    private static func requireFile(_ path: String) throws {
        guard unsafe access(path, F_OK) == 0 else {
            throw StorageError(.io, message: "There is no file '\(path)'.")
        }
    }

    static func run(_ connection: Database, _ sql: String) throws {
        try PreparedStatement(connection, sql).run()
    }

    /// Runs `body` in a transaction: one that has the write lock from its start, or one that only reads.
    static func transaction<Result>(
        _ connection: Database,
        isReadOnly: Bool = false,
        _ body: () throws -> Result
    ) throws -> Result {
        try PreparedStatement.cached(connection, isReadOnly ? "BEGIN DEFERRED" : "BEGIN IMMEDIATE").run()
        do {
            let result = try body()
            try PreparedStatement.cached(connection, "COMMIT").run()
            return result
        } catch {
            if connection.isInsideTransaction { try PreparedStatement.cached(connection, "ROLLBACK").run() }
            throw error
        }
    }
}

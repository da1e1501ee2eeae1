// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import GRDB
import GRDBSQLite
import Synchronization
import TidelineSQLite

/// The connections of a store, and the threads that its work runs on.
extension LocalStore {
    func checkOpen() throws {
        guard !isClosed.withLock({ $0 }) else {
            throw LocalStoreError(.closed, message: "The store was closed.")
        }
    }

    /// Runs `body` on a reading connection in one snapshot.
    func reading<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try checkOpen()
        return try SQLiteRefusal.translated {
            try readers.use { database in
                let connection = Connection(database, layout, known: known)
                do {
                    return try SQLiteRefusal.translated { try connection.inSnapshot { try body(connection) } }
                } catch let error as LocalStoreError
                    where error.mayBeOfModel
                {
                    // What has another form than expected may have been given it by another process.
                    try checkModel(connection)
                    throw error
                }
            }
        }
    }

    /// Refuses to work on a file that another process migrated.
    func checkModel(_ connection: Connection) throws {
        guard try connection.integer("SELECT MAX(version) FROM main.tideline_model") != revision else { return }
        throw LocalStoreError(.modelChanged, message: "Another process migrated the store's file. Open it again.")
    }

    /// Runs `body` on the writing connection in one transaction, and tells live results which rows it touched.
    ///
    /// - Parameter isDurable: whether the commit reaches the disk before this returns, and all commits before it too.
    func writing<Result>(
        durably isDurable: Bool = false,
        _ body: (Connection) throws -> (Result, touched: TouchedRows)
    ) throws -> Result {
        try onWriter { try transaction(on: $0, durably: isDurable, body) }
    }

    /// Runs `body` on the writing connection, outside of a transaction.
    func onWriter<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try checkOpen()
        return try SQLiteRefusal.translated {
            try pool.writeWithoutTransaction { try body(writer.open($0, layout)) }
        }
    }

    /// Runs `body` in one transaction of the writing connection.
    func transaction<Result>(
        on connection: Connection,
        durably isDurable: Bool,
        _ body: (Connection) throws -> (Result, touched: TouchedRows)
    ) throws -> Result {
        try checkAwake()
        // The store may have been closed while this write stood in the queue.
        try checkOpen()
        try connection.setDurable(isDurable)
        var outcome: (Result, touched: TouchedRows)?
        do {
            try connection.run("BEGIN IMMEDIATE")
            try checkModel(connection)
            // What another process committed before is told with this commit.
            if isHeard, try writer.sawOthers() { broadcaster.tell(.whole(layout)) }
            let result = try body(connection)
            outcome = result
            try Task.checkCancellation()
            try checkAwake()
            broadcaster.announce(result.touched)
            try connection.run("COMMIT")
            broadcaster.committed()
            bells.ring()
        } catch {
            broadcaster.abandoned()
            // SQLite has rolled back already after a full disk or an I/O error.
            if unsafe sqlite3_get_autocommit(connection.database.sqliteConnection) == 0 {
                _ = try? connection.run("ROLLBACK")
            }
            // What was interrupted says so itself.
            try checkAwake()
            throw error
        }
        guard let outcome else { throw LocalStoreError(.io, message: "The transaction did not end.") }
        return outcome.0
    }

    /// Runs blocking work on a thread of the store.
    ///
    /// What the task that waits is cancelled for, the work does not see.
    ///
    /// - Parameter evenCancelled: whether it begins also where the task was cancelled before.
    func onThread<Result: Sendable>(
        evenCancelled: Bool = false,
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        if !evenCancelled { try Task.checkCancellation() }
        if settings.worksInPlace { return try body() }
        return try await withCheckedThrowingContinuation { continuation in
            threads.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// Looks once whether another connection than this store's committed, and tells those who listen.
    ///
    /// Waits for a writer of this store.
    func lookForOthers() throws {
        try checkOpen()
        try SQLiteRefusal.translated {
            try pool.writeWithoutTransaction { database in
                _ = writer.open(database, layout)
                guard try writer.sawOthers() else { return }
                broadcaster.tell(.whole(layout))
                bells.ring()
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

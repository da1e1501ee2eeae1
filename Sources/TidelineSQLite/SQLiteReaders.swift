// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import GRDB
import Synchronization
import TidelineStorage

/// The connections of a store that read: a bounded number, each made when it is first needed.
///
/// The one that was used last is used next, for its pages and statements are at hand. The readers of GRDB's pool meet at
/// a barrier of one queue before and after each use: with eight threads on two cores the waiting took three quarters of
/// the time of a small read. Nor is it asked before each use whether the schema is another one: SQLite compiles a statement
/// anew where it is.
package final class SQLiteReaders: Sendable {
    private struct Content {
        var idle: [DatabaseQueue] = []
        var busy: [DatabaseQueue] = []
        var isClosed = false
    }

    private let content = Mutex(Content())
    /// One for each connection that may be in use.
    private let turns: DispatchSemaphore
    private let most: Int
    private let releasing = Mutex(())
    private let open: @Sendable () throws -> DatabaseQueue

    /// - Parameters:
    ///   - most: the most connections at a time.
    ///   - open: makes a connection that cannot write.
    package init(most: Int, open: @escaping @Sendable () throws -> DatabaseQueue) {
        self.most = max(most, 1)
        turns = DispatchSemaphore(value: self.most)
        self.open = open
    }

    /// Runs `body` in one snapshot of the file.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try use { connection in
            try SQLiteConnections.transaction(connection, isReadOnly: true) { try body(connection) }
        }
    }

    /// Runs `body` with a connection, outside of a transaction.
    package func use<Result>(_ body: (Database) throws -> Result) throws -> Result {
        turns.wait()
        defer { turns.signal() }
        let connection = try take()
        defer { giveBack(connection) }
        return try connection.unsafeRead(body)
    }

    private func take() throws -> DatabaseQueue {
        let known = try content.withLock { content in
            guard !content.isClosed else { throw StorageError(.io, message: "The store was closed.") }
            return content.idle.popLast()
        }
        let connection = try known ?? open()
        content.withLock { $0.busy.append(connection) }
        return connection
    }

    private func giveBack(_ connection: DatabaseQueue) {
        content.withLock { content in
            content.busy.removeAll { $0 === connection }
            if !content.isClosed { content.idle.append(connection) }
        }
    }

    /// Interrupts what runs.
    ///
    /// Under the lock, where none of them can be closed: SQLite must not be told of a connection that is closing.
    package func interrupt() {
        content.withLock { content in
            for connection in content.busy { connection.interrupt() }
        }
    }

    /// Waits for the reads that run, and closes all connections; later reads open others.
    ///
    /// Never from within a read, which would wait for itself.
    package func release() throws {
        // One at a time: two that each have some of the turns would wait for each other.
        try releasing.withLock { _ in
            for _ in 0..<most { turns.wait() }
            defer { for _ in 0..<most { turns.signal() } }
            try closeIdle()
        }
    }

    /// Closes what is idle now, and the rest when it is no longer used.
    package func close() throws {
        content.withLock { $0.isClosed = true }
        try closeIdle()
    }

    private func closeIdle() throws {
        let idle = content.withLock { content in
            defer { content.idle = [] }
            return content.idle
        }
        for connection in idle { try connection.close() }
    }
}

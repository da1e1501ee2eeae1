// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import GRDB
import Synchronization
import TidelineStorage

/// The connections of a store that read: a bounded number, each made when it is first needed.
///
/// The one that was used last is used next, for its pages and statements are at hand. The readers of GRDB's pool meet at
/// a barrier of one queue before and after each use: with eight threads on two cores the waiting took three quarters of
/// the time of a small read.
final class SQLiteReaders: Sendable {
    private struct Content {
        var idle: [DatabaseQueue] = []
        var isClosed = false
    }

    private let content = Mutex(Content())
    /// One for each connection that may be in use.
    private let turns: DispatchSemaphore
    private let open: @Sendable () throws -> DatabaseQueue

    /// - Parameters:
    ///   - most: the most connections at a time.
    ///   - open: makes a connection that cannot write.
    init(most: Int, open: @escaping @Sendable () throws -> DatabaseQueue) {
        turns = DispatchSemaphore(value: max(most, 1))
        self.open = open
    }

    /// Runs `body` in one snapshot of the file.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        turns.wait()
        defer { turns.signal() }
        let connection = try take()
        defer { giveBack(connection) }
        return try connection.unsafeRead { connection in
            try SQLiteConnections.transaction(connection, isReadOnly: true) { try body(connection) }
        }
    }

    private func take() throws -> DatabaseQueue {
        let known = try content.withLock { content in
            guard !content.isClosed else { throw StorageError(.io, message: "The store was closed.") }
            return content.idle.popLast()
        }
        return try known ?? open()
    }

    private func giveBack(_ connection: DatabaseQueue) {
        content.withLock { content in
            if !content.isClosed { content.idle.append(connection) }
        }
    }

    /// Closes what is idle now, and the rest when it is no longer used.
    func close() throws {
        let idle = content.withLock { content in
            content.isClosed = true
            defer { content.idle = [] }
            return content.idle
        }
        for connection in idle { try connection.close() }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineStorage

/// A bounded number of connections to one server; who finds none free waits for its turn, but not for ever.
///
/// `@unchecked Sendable`: `turn` guards every field; a connection is used by one thread at a time.
final class ConnectionPool: @unchecked Sendable {
    private let conninfo: String
    private let options: PostgresConnection.Options
    private let most: Int
    private let patience: Duration
    private let turn = NSCondition()
    private var idle: [PostgresConnection] = []
    private var made = 0
    private var isClosed = false

    /// - Parameters:
    ///   - most: the most connections at a time.
    ///   - patience: how long to wait for one.
    init(conninfo: String, options: PostgresConnection.Options, most: Int, patience: Duration) {
        self.conninfo = conninfo
        self.options = options
        self.most = max(most, 1)
        self.patience = patience
    }

    /// Runs `body` in a transaction.
    ///
    /// A connection that was lost while it lay idle is replaced, which nobody notices: nothing has run yet.
    func transaction<Result>(
        _ mode: PostgresConnection.Mode,
        _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        while true {
            let (connection, isUsed) = try take()
            defer { giveBack(connection) }
            do {
                try connection.execute(mode.rawValue)
            } catch let failure as PostgresFailure where failure.isConnectionLost && isUsed {
                continue
            }
            let result: Result
            do {
                result = try body(connection)
            } catch {
                connection.rollback()
                throw error
            }
            try connection.commit()
            return result
        }
    }

    /// A connection, and whether it was used before.
    private func take() throws -> (PostgresConnection, Bool) {
        let seconds = Double(patience.components.seconds) + Double(patience.components.attoseconds) / 1e18
        let deadline = Date(timeIntervalSinceNow: seconds)
        turn.lock()
        while true {
            guard !isClosed else {
                turn.unlock()
                throw StorageError(.io, message: "The store was closed.")
            }
            if let connection = idle.popLast() {
                turn.unlock()
                return (connection, true)
            }
            if made < most { break }
            guard turn.wait(until: deadline) else {
                turn.unlock()
                throw StorageError(.busy, message: "All connections to the database were in use for too long.")
            }
        }
        made += 1
        turn.unlock()
        do {
            return (try PostgresConnection(conninfo, options: options), false)
        } catch {
            turn.withLock {
                made -= 1
                turn.signal()
            }
            throw error
        }
    }

    private func giveBack(_ connection: PostgresConnection) {
        let isUsable = connection.isAlive && !connection.isInTransaction
        turn.withLock {
            if isUsable, !isClosed { idle.append(connection) } else { made -= 1 }
            turn.signal()
        }
    }

    /// Closes what is idle now, and the rest when it comes back.
    func close() {
        turn.withLock {
            isClosed = true
            made -= idle.count
            idle = []
            turn.broadcast()
        }
    }
}

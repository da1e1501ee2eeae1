// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization
import TidelineStorage

/// A bounded number of connections to one server; who finds none free waits for its turn, but not for ever.
final class ConnectionPool: Sendable {
    /// A connection that nobody uses.
    ///
    /// `@unchecked Sendable`: who takes it out of the pool is the only one that has it, until it is given back.
    private struct Idle: @unchecked Sendable {
        let connection: PostgresConnection
    }

    private struct State {
        var idle: [Idle] = []
        var isClosed = false
    }

    private let conninfo: String
    private let options: PostgresConnection.Options
    private let patience: Duration
    // One for each connection that may be in use; its clock does not jump with the time of day.
    private let turns = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    /// - Parameters:
    ///   - most: the most connections at a time.
    ///   - patience: how long to wait for one.
    init(conninfo: String, options: PostgresConnection.Options, most: Int, patience: Duration) {
        self.conninfo = conninfo
        self.options = options
        self.patience = patience
        for _ in 0..<max(most, 1) { turns.signal() }
    }

    /// Runs `body` in a transaction.
    ///
    /// A connection that was lost while it lay idle is replaced, which nobody notices: nothing has run yet. One that reads
    /// may find the loss with its first question only, and is run again then by the store.
    func transaction<Result>(
        _ mode: PostgresConnection.Mode,
        _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        while true {
            let (connection, isUsed) = try take()
            defer { giveBack(connection) }
            do {
                try connection.open(mode)
                if mode == .write { try connection.begin() }
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
            if mode == .write { try connection.commit() } else { try connection.endReading() }
            return result
        }
    }

    /// A connection, and whether it was used before.
    private func take() throws -> (PostgresConnection, Bool) {
        let seconds = Double(patience.components.seconds) + Double(patience.components.attoseconds) / 1e18
        guard turns.wait(timeout: .now() + seconds) == .success else {
            throw StorageError(.busy, message: "All connections to the database were in use for too long.")
        }
        do {
            if let connection = try takeIdle() { return (connection, true) }
            return (try PostgresConnection(conninfo, options: options), false)
        } catch {
            turns.signal()
            throw error
        }
    }

    private func takeIdle() throws -> PostgresConnection? {
        try state.withLock { state throws(StorageError) in
            guard !state.isClosed else { throw StorageError(.io, message: "The store was closed.") }
            return state.idle.popLast()
        }?.connection
    }

    private func giveBack(_ connection: PostgresConnection) {
        let isUsable = connection.isAlive && !connection.isInTransaction
        let given = Idle(connection: connection)
        state.withLock { state in
            if isUsable, !state.isClosed { state.idle.append(given) }
        }
        turns.signal()
    }

    /// Closes what is idle now, and the rest when it comes back.
    func close() {
        state.withLock { $0 = State(isClosed: true) }
        // Wakes one who waits; that one gives the turn on.
        turns.signal()
    }
}

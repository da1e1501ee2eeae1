// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Synchronization

/// The reading connection of live lists, with its compiled statements; opened when the first list reads.
///
/// Lists read one after the other, so that many of them take no reader away from the app.
final class LiveConnection: Sendable {
    private enum State {
        case unused
        case open(DatabaseQueue, Statements)
        case closed
    }

    /// The connection with its compiled statements.
    ///
    /// `@unchecked Sendable`: the serial queue of the database guards it; it is used inside `inDatabase` alone.
    private final class Statements: @unchecked Sendable {
        var connection: Connection?
    }

    private let path: String
    private let settings: StoreSettings
    private let state = Mutex(State.unused)

    init(path: String, settings: StoreSettings) {
        self.path = path
        self.settings = settings
    }

    /// Runs `body` in one snapshot.
    func reading<Result>(_ layout: StoreLayout, _ body: (Connection) throws -> Result) throws -> Result {
        try SQLiteRefusal.translated {
            let (queue, statements) = try open()
            return try queue.inDatabase { database in
                let connection = statements.connection ?? Connection(database, layout)
                statements.connection = connection
                return try connection.inSnapshot {
                    _ = try connection.integer("SELECT 1 FROM main.sqlite_schema LIMIT 1")
                    return try body(connection)
                }
            }
        }
    }

    private func open() throws -> (DatabaseQueue, Statements) {
        try state.withLock { state in
            switch state {
            case .open(let queue, let statements): return (queue, statements)
            case .closed: throw LocalStoreError(.closed, message: "The store was closed.")
            case .unused:
                var configuration = StoreFile.configuration(settings)
                configuration.readonly = true
                let queue = try DatabaseQueue(path: path, configuration: configuration)
                let statements = Statements()
                state = .open(queue, statements)
                return (queue, statements)
            }
        }
    }

    /// Closes the connection for ever.
    func close() {
        let last = state.withLock { state in
            defer { state = .closed }
            return state
        }
        guard case .open(let queue, let statements) = last else { return }
        queue.inDatabase { _ in statements.connection = nil }
        _ = try? queue.close()
    }
}

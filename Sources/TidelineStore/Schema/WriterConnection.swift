// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The writing connection with its compiled statements.
///
/// `@unchecked Sendable`: the serial queue of the pool's one writing connection guards it. Each call takes that
/// connection's `Database`, which exists only inside `pool.writeWithoutTransaction`.
final class WriterConnection: @unchecked Sendable {
    private var connection: Connection?
    /// SQLite's `data_version` of this connection: another one when others committed, and only then.
    private var version: Int64?

    func open(_ database: Database, _ layout: StoreLayout) -> Connection {
        if let connection { return connection }
        let new = Connection(database, layout, known: KnownStatements())
        connection = new
        version = try? new.integer("PRAGMA main.data_version")
        return new
    }

    /// Whether another connection committed since this was asked last, or since the connection was first used.
    func sawOthers() throws -> Bool {
        guard let connection else { return false }
        let now = try connection.integer("PRAGMA main.data_version")
        defer { version = now }
        return version != now
    }

    /// Forgets the statements, so that the database can be closed.
    func close(_ database: Database) { connection = nil }
}

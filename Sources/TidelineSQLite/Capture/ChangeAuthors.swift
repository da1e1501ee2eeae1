// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStorage

/// The clients whose doing entries of the log are.
///
/// The transactions of a database come one after the other, so the entries of each are a range of numbers.
struct ChangeAuthors {
    static let tableName = "tideline_authors"

    let connection: Database

    /// Creates the table, where it is not there.
    ///
    /// A version that does not know it leaves it behind when it unpublishes, and the next log counts from 1 again: what is
    /// older than the log is of another publication, and made anew. The order of `sqlite_schema` tells.
    func create() throws {
        let statement = try PreparedStatement(
            connection,
            """
            SELECT EXISTS (SELECT 1 FROM sqlite_schema AS a, sqlite_schema AS l
                WHERE a.type = 'table' AND a.name = 'tideline_authors'
                AND l.type = 'table' AND l.name = 'tideline_log' AND a.rowid < l.rowid)
            """
        )
        let isOfBefore = try statement.step() && statement.integer(0) != 0
        statement.reset()
        if isOfBefore { try PreparedStatement(connection, "DROP TABLE tideline_authors").run() }
        try PreparedStatement(
            connection,
            """
            CREATE TABLE IF NOT EXISTS tideline_authors(last INTEGER PRIMARY KEY NOT NULL, previous INTEGER NOT NULL, \
            client TEXT NOT NULL)
            """
        ).run()
    }

    /// Keeps that the entries after one are of a client.
    ///
    /// In the transaction that they came in. The newest entry is the first one from the end: for the greatest number under a
    /// condition, SQLite would read the whole log.
    func add(_ client: String, after entry: Int64) throws {
        let statement = try PreparedStatement.cached(
            connection,
            """
            INSERT INTO tideline_authors(last, previous, client) SELECT seq, ?1, ?2
            FROM tideline_log WHERE seq > ?1 ORDER BY seq DESC LIMIT 1
            """
        )
        statement.bind(entry, 1)
        statement.bind(client, 2)
        try statement.run()
    }

    /// Whether the log has an entry of a row after a number that is not of a client; true where there is no such row.
    func isChanged(
        _ key: Key,
        of statements: SetStatements,
        loggedBy columns: [String],
        after entry: Int64,
        exceptBy client: String
    ) throws -> Bool {
        let first = Int32(key.values.count)
        let statement = try PreparedStatement.cached(
            connection,
            """
            SELECT EXISTS (SELECT 1 FROM tideline_log AS l
                WHERE l.set_name = ?\(first + 1) AND l.seq > ?\(first + 2)
                AND l.key = \(CaptureTriggers.keyText(columns, of: "t"))
                AND NOT coalesce((SELECT a.previous < l.seq AND a.client = ?\(first + 3) FROM tideline_authors AS a
                    WHERE a.last >= l.seq ORDER BY a.last LIMIT 1), 0))
            FROM \(statements.table) AS t WHERE \(statements.keyCondition) LIMIT 1
            """
        )
        defer { statement.reset() }
        guard try statements.bind(key, to: statement) else { return true }
        statement.bind(statements.set.names.database, first + 1)
        statement.bind(entry, first + 2)
        statement.bind(client, first + 3)
        return try !statement.step() || statement.integer(0) != 0
    }

    /// Forgets them for the entries up to one, which are gone.
    func forget(through entry: Int64) throws {
        let statement = try PreparedStatement(connection, "DELETE FROM tideline_authors WHERE last <= ?")
        statement.bind(entry, 1)
        try statement.run()
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineStorage

/// The table of values that lost, in a published database.
struct ConflictLog {
    static let tableName = "tideline_conflicts"

    /// The statements that make it; databases published long ago have none.
    static let statements = [
        """
        CREATE TABLE IF NOT EXISTS tideline_conflicts(id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, \
        set_name TEXT NOT NULL, key TEXT NOT NULL, lost TEXT, won TEXT, user TEXT, client TEXT, request TEXT, \
        policy TEXT, time INTEGER NOT NULL, is_open INTEGER NOT NULL, restored_at INTEGER)
        """,
        """
        CREATE INDEX IF NOT EXISTS tideline_conflicts_open ON tideline_conflicts(client) WHERE is_open = 1
        """,
        """
        CREATE INDEX IF NOT EXISTS tideline_conflicts_row ON tideline_conflicts(client, set_name, key) \
        WHERE is_open = 1
        """,
    ]

    private static let columns =
        "id, kind, set_name, key, lost, won, user, client, request, policy, time, is_open, restored_at"

    let connection: Database

    /// Makes the table and its indexes where they are missing.
    ///
    /// In a write transaction.
    func create() throws {
        for sql in Self.statements { try PreparedStatement(connection, sql).run() }
    }

    func add(_ conflict: LoggedConflict) throws {
        let statement = try PreparedStatement.cached(
            connection,
            """
            INSERT INTO tideline_conflicts(kind, set_name, key, lost, won, user, client, request, policy, time, is_open)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        let texts: [String?] = [
            conflict.kind.rawValue, conflict.set, conflict.key, conflict.lost, conflict.won, conflict.user,
            conflict.client, conflict.request, conflict.policy,
        ]
        for (place, text) in texts.enumerated() {
            if let text { statement.bind(text, Int32(place + 1)) } else { statement.bindNull(Int32(place + 1)) }
        }
        statement.bind(conflict.time, 10)
        statement.bind(Int64(conflict.isOpen ? 1 : 0), 11)
        try statement.run()
    }

    func entries(_ query: ConflictQuery) throws -> [LoggedConflict] {
        var condition = "1"
        if query.id != nil { condition = "id = ?1" }
        if query.openOf != nil { condition += " AND client = ?2 AND is_open = 1" }
        if query.rows != nil { condition += " AND set_name = ?4 AND key = ?5" }
        let statement = try PreparedStatement.cached(
            connection,
            "SELECT \(Self.columns) FROM tideline_conflicts WHERE \(condition) ORDER BY id DESC LIMIT ?3"
        )
        defer { statement.reset() }
        if let id = query.id { statement.bind(id, 1) }
        if let client = query.openOf { statement.bind(client, 2) }
        statement.bind(Int64(query.limit), 3)
        guard let rows = query.rows else { return try Self.entries(statement) }
        statement.bind(rows.set, 4)
        var found: [LoggedConflict] = []
        for key in rows.keys {
            statement.bind(key, 5)
            found += try Self.entries(statement)
        }
        found.sort { $0.id > $1.id }
        return Array(found.prefix(query.limit))
    }

    /// What a statement gives from its start to its end.
    private static func entries(_ statement: PreparedStatement) throws -> [LoggedConflict] {
        var found: [LoggedConflict] = []
        while try statement.step() {
            var conflict = LoggedConflict(
                kind: statement.string(1).flatMap(LoggedConflict.Kind.init) ?? .unseen,
                set: statement.string(2) ?? "",
                key: statement.string(3) ?? "",
                lost: statement.string(4),
                won: statement.string(5),
                time: statement.integer(10)
            )
            conflict.id = statement.integer(0)
            conflict.user = statement.string(6)
            conflict.client = statement.string(7)
            conflict.request = statement.string(8)
            conflict.policy = statement.string(9)
            conflict.isOpen = statement.integer(11) == 1
            conflict.restoredAt = statement.storageClass(12) == .null ? nil : statement.integer(12)
            found.append(conflict)
        }
        return found
    }

    func close(_ id: Int64) throws {
        let statement = try PreparedStatement.cached(
            connection,
            "UPDATE tideline_conflicts SET is_open = 0 WHERE id = ?"
        )
        statement.bind(id, 1)
        try statement.run()
    }

    func remove(_ id: Int64) throws {
        let statement = try PreparedStatement.cached(connection, "DELETE FROM tideline_conflicts WHERE id = ?")
        statement.bind(id, 1)
        try statement.run()
    }

    func setRestored(_ id: Int64, at time: Int64) throws {
        let statement = try PreparedStatement.cached(
            connection,
            "UPDATE tideline_conflicts SET restored_at = ? WHERE id = ?"
        )
        statement.bind(time, 1)
        statement.bind(id, 2)
        try statement.run()
    }

    /// Removes what is older than `seconds`, and what is beyond the most entries or bytes.
    func prune(keeping seconds: Int64?, now: Int64) throws {
        let statement = try PreparedStatement(
            connection,
            """
            DELETE FROM tideline_conflicts WHERE time < ?1 OR id IN (
                SELECT id FROM (
                    SELECT id, row_number() OVER newest AS place,
                        sum(length(CAST(coalesce(lost, '') || coalesce(won, '') AS BLOB))) OVER newest AS bytes
                    FROM tideline_conflicts WINDOW newest AS (ORDER BY id DESC))
                WHERE place > ?2 OR bytes > ?3)
            """
        )
        statement.bind(seconds.map { now - $0 } ?? .min, 1)
        statement.bind(ConflictRetention.entries, 2)
        statement.bind(ConflictRetention.bytes, 3)
        try statement.run()
    }
}

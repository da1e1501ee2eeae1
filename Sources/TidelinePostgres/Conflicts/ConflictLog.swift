// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// The table of values that lost, in the schema of a published database.
struct ConflictLog {
    /// The statements that make it; databases published long ago have none.
    static let statements = [
        """
        CREATE TABLE tideline.conflicts(id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
        kind text NOT NULL, set_name text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, lost text, won text, \
        "user" text, client text COLLATE "C", request text, policy text, time bigint NOT NULL, \
        is_open boolean NOT NULL, restored_at bigint)
        """,
        "CREATE INDEX conflicts_open ON tideline.conflicts(client) WHERE is_open", rowIndex,
    ]

    /// The statement that makes the index by rows; tables made long ago have none.
    private static let rowIndex =
        "CREATE INDEX IF NOT EXISTS conflicts_row ON tideline.conflicts(client, set_name, key) WHERE is_open"

    private static let columns =
        "id, kind, set_name, key, lost, won, \"user\", client, request, policy, time, is_open, restored_at"

    let connection: PostgresConnection

    /// Makes the table and its indexes where they are missing.
    ///
    /// In a write transaction, of a role that owns the schema.
    func create() throws {
        let found = try connection.query(
            """
            SELECT to_regclass('tideline.conflicts') IS NOT NULL, to_regclass('tideline.conflicts_row') IS NOT NULL
            """
        )[0]
        if found.boolean(0) != true {
            for sql in Self.statements { try connection.execute(sql) }
        } else if found.boolean(1) != true {
            // Servers that start at once make it one after the other.
            try connection.execute("LOCK TABLE tideline.conflicts IN SHARE ROW EXCLUSIVE MODE")
            try connection.execute(Self.rowIndex)
        }
    }

    func add(_ conflict: LoggedConflict) throws {
        let texts: [String?] = [
            conflict.kind.rawValue, conflict.set, conflict.key, conflict.lost, conflict.won, conflict.user,
            conflict.client, conflict.request, conflict.policy,
        ]
        _ = try connection.query(
            """
            INSERT INTO tideline.conflicts(kind, set_name, key, lost, won, "user", client, request, policy, time, is_open)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::bigint = 1)
            """,
            texts.map { $0.map(SQLValue.text) ?? .null } + [
                .integer(conflict.time), .integer(conflict.isOpen ? 1 : 0),
            ],
            isKept: true
        )
    }

    func entries(_ query: ConflictQuery) throws -> [LoggedConflict] {
        let ofRows =
            query.rows == nil ? "$4::text IS NULL AND $5::text[] IS NULL" : "set_name = $4 AND key = ANY($5::text[])"
        let result = try connection.query(
            """
            SELECT \(Self.columns) FROM tideline.conflicts
            WHERE \(query.id == nil ? "$1::bigint IS NULL" : "id = $1")
                AND \(query.openOf == nil ? "$2::text IS NULL" : "client = $2 AND is_open") AND \(ofRows)
            ORDER BY id DESC LIMIT $3
            """,
            [
                query.id.map(SQLValue.integer) ?? .null, query.openOf.map(SQLValue.text) ?? .null,
                .integer(Int64(query.limit)), (query.rows?.set).map(SQLValue.text) ?? .null,
                (query.rows?.keys).map { SQLValue.text(ArrayText.text($0.map(Optional.some))) } ?? .null,
            ],
            isKept: true
        )
        return result.map { row in
            var conflict = LoggedConflict(
                kind: row.string(1).flatMap(LoggedConflict.Kind.init) ?? .unseen,
                set: row.string(2) ?? "",
                key: row.string(3) ?? "",
                lost: row.string(4),
                won: row.string(5),
                time: row.integer(10) ?? 0
            )
            conflict.id = row.integer(0) ?? 0
            conflict.user = row.string(6)
            conflict.client = row.string(7)
            conflict.request = row.string(8)
            conflict.policy = row.string(9)
            conflict.isOpen = row.boolean(11) ?? false
            conflict.restoredAt = row.integer(12)
            return conflict
        }
    }

    func close(_ id: Int64) throws {
        try connection.change("UPDATE tideline.conflicts SET is_open = false WHERE id = $1", [.integer(id)])
    }

    func remove(_ id: Int64) throws {
        try connection.change("DELETE FROM tideline.conflicts WHERE id = $1", [.integer(id)])
    }

    func setRestored(_ id: Int64, at time: Int64) throws {
        _ = try connection.query(
            "UPDATE tideline.conflicts SET restored_at = $1 WHERE id = $2",
            [.integer(time), .integer(id)],
            isKept: true
        )
    }

    /// Removes what is older than `seconds`, and what is beyond the most entries or bytes.
    func prune(keeping seconds: Int64?, now: Int64) throws {
        _ = try connection.query(
            """
            DELETE FROM tideline.conflicts WHERE time < $1::bigint OR id IN (
                SELECT id FROM (
                    SELECT id, row_number() OVER newest AS place,
                        sum(octet_length(coalesce(lost, '')) + octet_length(coalesce(won, ''))) OVER newest AS bytes
                    FROM tideline.conflicts WINDOW newest AS (ORDER BY id DESC)) AS kept
                WHERE place > $2 OR bytes > $3)
            """,
            [
                .integer(seconds.map { now - $0 } ?? .min), .integer(ConflictRetention.entries),
                .integer(ConflictRetention.bytes),
            ]
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The schema and triggers by which a published database logs its changes.
///
/// They refer to tables and columns by their names in the database, so other names on the wire leave them as they are.
struct Capture {
    let connection: PostgresConnection

    /// Whether the database carries our schema.
    func isInstalled() throws -> Bool {
        try connection.query("SELECT to_regclass('tideline.state') IS NOT NULL")[0].boolean(0) ?? false
    }

    /// Creates schema, state and triggers.
    ///
    /// In a write transaction.
    func install(_ tables: [CapturedTable]) throws {
        for sql in CaptureSchema.statements { try connection.execute(sql) }
        try setState("format", CaptureSchema.format)
        try setState("etag", Self.random())
        try setState("compacted", "0")
        try connection.execute("SELECT tideline.begin_epoch('published')")
        for table in tables { try capture(table) }
        try CommitNotice(connection: connection).createTriggers(on: tables)
        try sign()
    }

    /// Removes everything of ours.
    ///
    /// In a write transaction.
    func remove() throws {
        for row in try connection.query(
            """
            SELECT DISTINCT t.tgname, t.tgrelid::regclass::text FROM pg_catalog.pg_trigger AS t
            JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
            WHERE p.pronamespace = to_regnamespace('tideline') AND t.tgparentid = 0
            """
        ) {
            try connection.execute(
                "DROP TRIGGER IF EXISTS \(SQLToken.name(row.string(0) ?? "")) ON \(row.string(1) ?? "")"
            )
        }
        try SearchIndex(connection: connection).remove()
        try requireNoDependents()
        try connection.execute("DROP SCHEMA tideline CASCADE")
    }

    /// Makes sure that nothing of the database's owner goes with what is ours: a view of the conflict log, say.
    private func requireNoDependents() throws {
        let names = try connection.query(CaptureSchema.dependents).compactMap { $0.string(0) }
        guard !names.isEmpty else { return }
        throw StorageError(
            .unsupported,
            message:
                "What publishing added is used by \(names.joined(separator: ", ")), which would go with it. Drop that first."
        )
    }

    /// Makes what is missing in databases published long ago: the index of the answers, the authors of changes.
    ///
    /// In a write transaction, of a role that owns the schema.
    func complete() throws {
        let isThere = try connection.query(
            "SELECT to_regclass('tideline.answers_age') IS NOT NULL AND to_regclass('tideline.authors') IS NOT NULL"
        )[0].boolean(0)
        guard isThere != true else { return }
        // Servers that start at once make it one after the other.
        try connection.execute("LOCK TABLE tideline.answers IN SHARE ROW EXCLUSIVE MODE")
        try connection.execute(CaptureSchema.answersByAge)
        try connection.execute(CaptureSchema.authors)
    }

    /// The tables that are captured, by name.
    func tables() throws -> [CapturedTable] {
        let tables = try connection.query(
            """
            SELECT set_id, schema_name, table_name, key_columns, columns, scopes FROM tideline.capture
            ORDER BY schema_name, table_name
            """
        ).map { row in
            CapturedTable(
                identifier: row.integer(0) ?? 0,
                schema: row.string(1) ?? "",
                name: row.string(2) ?? "",
                key: try LoggedValue.texts(row.string(3) ?? "[]"),
                columns: try LoggedValue.texts(row.string(4) ?? "[]"),
                scopes: try LoggedValue.texts(row.string(5) ?? "[]")
            )
        }
        return try withItems(tables)
    }

    /// Whether nothing was written past the log, as far as the catalog can tell.
    func isWhole() throws -> Bool {
        let result = try connection.query(
            "SELECT \(CaptureSchema.isWhole)",
            isKept: true
        )
        return result[0].boolean(0) ?? false
    }

    /// Makes lost capture again and begins a new epoch: what was written meanwhile is in no log.
    ///
    /// In a write transaction, of a role that owns the tables.
    ///
    /// - Throws: ``StorageError/Code/schemaChanged`` when a table is gone or has lost a column of its key.
    func restore() throws {
        // One after the other; who comes second finds it done.
        try connection.execute("LOCK TABLE tideline.capture IN SHARE ROW EXCLUSIVE MODE")
        guard try !isWhole() else { return }
        let isCopy = try state("identity") != connection.query(CaptureSchema.identity)[0].string(0)
        let broken = try brokenTables()
        // The signature of a table does not speak of the tables of its items.
        for table in try tables() where isCopy || broken.contains(table.identifier) || !table.items.isEmpty {
            try change(to: withoutLostColumns(table))
        }
        try CommitNotice(connection: connection).createTriggers(on: tables())
        // The transactions in the log of a copy are those of another server.
        if isCopy {
            try complete()
            try connection.execute(
                """
                DELETE FROM tideline.scope; DELETE FROM tideline.log; DELETE FROM tideline.authors; \
                DELETE FROM tideline.state WHERE name = 'ages'
                """
            )
        }
        try setState("compacted", "0")
        try connection.execute("SELECT tideline.begin_epoch('\(isCopy ? "restored" : "lost")')")
        try sign()
    }

    /// Gives tables other scope columns.
    ///
    /// Only what the log says from now on is found by them. Triggers are made only where something changes.
    func setScopes(_ scopes: [String: [String]], schema: String) throws {
        for var table in try tables() where table.schema == schema {
            var wanted = scopes[table.name] ?? []
            guard Set(wanted) != Set(table.scopes) else { continue }
            wanted = try narrowable(wanted, table)
            guard Set(wanted) != Set(table.scopes) else { continue }
            table.scopes = wanted
            try createTriggers(table)
            _ = try connection.query(
                """
                UPDATE tideline.capture SET scopes = $2, scope_from = pg_current_xact_id() WHERE set_id = $1
                """,
                [.integer(table.identifier), .text(Self.json(wanted))]
            )
            try sign(table.identifier)
        }
    }

    /// Those of the columns by whose values the log can be looked up.
    func narrowable(_ scopes: [String], _ table: CapturedTable) throws -> [String] {
        guard !scopes.isEmpty else { return [] }
        let shape = try Catalog(connection: connection, schema: table.schema).shapes(table.name).first
        return scopes.filter { scope in
            shape?.columns.first { $0.name == scope }?.type.lookedUp("value") != nil
        }
    }

    func createTriggers(_ table: CapturedTable) throws {
        guard let shape = try Catalog(connection: connection, schema: table.schema).shapes(table.name).first,
            !shape.isView
        else {
            throw StorageError(.schemaChanged, set: table.name, message: "The table \(table.name) no longer exists.")
        }
        let columns = Set(shape.columns.map(\.name))
        if let missing = (table.key + table.columns.filter { !$0.isEmpty } + table.scopes)
            .first(where: { !columns.contains($0) })
        {
            throw StorageError(
                .schemaChanged,
                set: table.name,
                properties: [missing],
                message: "The table \(table.name) no longer has the column \(missing)."
            )
        }
        let triggers = CaptureTriggers(table: table, shape: shape)
        for sql in triggers.statements { try connection.execute(sql) }
        try createItemTriggers(triggers)
    }

    /// Remembers what the catalog says of the tables now, of one or of all, and which server says so.
    func sign(_ identifier: Int64? = nil) throws {
        _ = try connection.query(
            """
            UPDATE tideline.capture AS t SET signature = w.signature, relation = w.relation,
                attributes = w.attributes FROM (\(CaptureSchema.signatures)) AS w
            WHERE w.set_id = t.set_id AND ($1::integer IS NULL OR t.set_id = $1::integer)
            """,
            [identifier.map(SQLValue.integer) ?? .null]
        )
        try setState("identity", try connection.query(CaptureSchema.identity)[0].string(0) ?? "")
        try setState("digest", try connection.query(CaptureSchema.digest)[0].string(0) ?? "")
        if identifier == nil { try noteLabels() }
    }

    // MARK: State

    func state(_ name: String) throws -> String? {
        let result = try connection.query(
            "SELECT value FROM tideline.state WHERE name = $1",
            [.text(name)],
            isKept: true
        )
        return result.rowCount > 0 ? result[0].string(0) : nil
    }

    func setState(_ name: String, _ value: String) throws {
        _ = try connection.query(
            """
            INSERT INTO tideline.state(name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value
            """,
            [.text(name), .text(value)]
        )
    }

    /// The key of the database's ETags: 16 bytes.
    func etagKey() throws -> [UInt8]? { try state("etag").map(Self.bytes) }

    static func bytes(_ digits: String) -> [UInt8] {
        let nibbles = digits.compactMap(\.hexDigitValue)
        return stride(from: 0, to: nibbles.count - 1, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
    }

    static func digits(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }

    /// Sixteen random bytes, as digits.
    private static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return digits((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Texts as a JSON array.
    static func json(_ texts: [String]) -> String { JSONValue.array(texts.map(JSONValue.string)).text }
}

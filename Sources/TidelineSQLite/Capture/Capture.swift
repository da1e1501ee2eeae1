// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineStorage

/// The tables and triggers by which a published database logs its changes.
///
/// They refer to tables and columns by their names in the database, so other names on the wire leave them as they are.
struct Capture {
    /// The last object that capture makes: triggers made again later come after it in `sqlite_schema`.
    static let guardName = "tideline_guard"

    let connection: Database

    /// Whether the database carries our tables.
    func isInstalled() throws -> Bool {
        let statement = try PreparedStatement(
            connection,
            "SELECT count(*) FROM sqlite_schema WHERE name = 'tideline_state' AND type = 'table'"
        )
        guard try statement.step() else { return false }
        defer { statement.reset() }
        return statement.integer(0) > 0
    }

    /// Creates tables, state and triggers.
    ///
    /// In a write transaction.
    func install(_ tables: [CapturedTable], journalMode: String) throws {
        let statement = try PreparedStatement(
            connection,
            "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'"
        )
        let hadSequence = try statement.step() && statement.integer(0) > 0
        statement.reset()
        for sql in Self.tableStatements { try run(sql) }
        try complete()
        try setState("format", "1")
        try beginEpoch()
        try setState("etag", random())
        try setState("compacted", "0")
        try setState("journal", journalMode)
        try setState("sequence", hadSequence ? "1" : "0")
        try setState(KeyReuse.state, "1")
        for table in tables {
            try remember(table)
            try rememberItems(table)
            try createTriggers(table)
        }
        try run("CREATE VIEW \(Self.guardName) AS SELECT 1 AS one")
    }

    static let tableStatements =
        [
            "CREATE TABLE tideline_state(name TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID",
            """
            CREATE TABLE tideline_log(seq INTEGER PRIMARY KEY AUTOINCREMENT, nonce INTEGER NOT NULL DEFAULT (random()), \
            set_name TEXT NOT NULL, key TEXT NOT NULL, operation TEXT NOT NULL, before TEXT)
            """,
            "CREATE INDEX tideline_log_key ON tideline_log(set_name, key)",
            """
            CREATE TABLE tideline_scope(set_name TEXT NOT NULL, property TEXT NOT NULL, value NOT NULL, \
            seq INTEGER NOT NULL, PRIMARY KEY(set_name, property, value, seq)) WITHOUT ROWID
            """,
            """
            CREATE TABLE tideline_clients(client TEXT PRIMARY KEY NOT NULL, user TEXT, number INTEGER NOT NULL) \
            WITHOUT ROWID
            """,
            """
            CREATE TABLE tideline_answers(client TEXT NOT NULL, request TEXT NOT NULL, number INTEGER, \
            hash BLOB NOT NULL, answer BLOB NOT NULL, kept_at INTEGER NOT NULL DEFAULT (CAST(strftime('%s','now') AS INTEGER)), \
            PRIMARY KEY(client, request))
            """,
            """
            CREATE TABLE tideline_capture(table_name TEXT PRIMARY KEY NOT NULL, key_columns TEXT NOT NULL, \
            columns TEXT NOT NULL, scopes TEXT NOT NULL, scope_from INTEGER NOT NULL) WITHOUT ROWID
            """,
            itemsStatement,
        ] + KeyReuse.statements + ConflictLog.statements

    /// The answers that are forgotten by their age: without it each is looked at, beyond its content.
    private static let answersByAge = """
        CREATE INDEX IF NOT EXISTS tideline_answers_age ON tideline_answers(kept_at) WHERE number IS NULL
        """

    /// Makes what is missing in databases published long ago: in a write transaction.
    func complete() throws {
        try run(Self.answersByAge)
        try ChangeAuthors(connection: connection).create()
    }

    /// The names of all that ``install(_:journalMode:)`` creates but triggers.
    static let tableNames =
        [
            ConflictLog.tableName, "tideline_items", "tideline_capture", "tideline_answers", "tideline_clients",
            "tideline_scope", "tideline_log", "tideline_state", ChangeAuthors.tableName,
        ] + KeyReuse.tableNames

    /// Removes everything of ours.
    ///
    /// In a write transaction.
    func remove() throws {
        let createdSequence = try state("sequence") == "0"
        try SearchIndex(connection: connection).remove()
        for name in try names(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'tideline\\_%' ESCAPE '\\'"
        ) {
            try run("DROP TRIGGER \(SQLToken.name(name))")
        }
        try run("DROP VIEW IF EXISTS \(Self.guardName)")
        for name in Self.tableNames { try run("DROP TABLE IF EXISTS \(name)") }
        if createdSequence { try removeSequenceTable() }
    }

    /// Drops `sqlite_sequence`, which SQLite made for our log, unless another table has come to need it.
    ///
    /// SQLite refuses to drop it by its name, so it gets another name first; dropping it then frees its page.
    private func removeSequenceTable() throws {
        let tables = try names("SELECT name FROM sqlite_schema WHERE type = 'table'")
        for table in tables {
            if let shape = try TableShape(table, in: connection), shape.hasAutoincrement { return }
        }
        guard tables.contains("sqlite_sequence") else { return }
        try run("PRAGMA writable_schema = ON")
        do {
            try run(
                "UPDATE sqlite_schema SET name = 'tideline_sequence', tbl_name = 'tideline_sequence', "
                    + "sql = 'CREATE TABLE tideline_sequence(name,seq)' WHERE name = 'sqlite_sequence'"
            )
        } catch {
            try run("PRAGMA writable_schema = OFF")
            throw error
        }
        try run("PRAGMA writable_schema = RESET")
        try run("DROP TABLE tideline_sequence")
    }

    /// The tables that are captured, by name.
    func tables() throws -> [CapturedTable] {
        let statement = try PreparedStatement(
            connection,
            "SELECT table_name, key_columns, columns, scopes FROM tideline_capture ORDER BY table_name"
        )
        var tables: [CapturedTable] = []
        while try statement.step() {
            tables.append(
                CapturedTable(
                    name: statement.string(0) ?? "",
                    key: try QuotedValue.texts(statement.string(1) ?? ""),
                    columns: try QuotedValue.texts(statement.string(2) ?? ""),
                    scopes: try QuotedValue.texts(statement.string(3) ?? "")
                )
            )
        }
        return try withItems(tables)
    }

    /// The tables whose triggers are not what they should be, or were made again behind our back.
    ///
    /// A trigger older than the guard was never dropped since, so its table was not rebuilt either: dropping a table
    /// drops its triggers. The order survives VACUUM, which numbers root pages and rows of the schema anew.
    /// The expected text follows the table's unique indexes of now: a new one could have let REPLACE pass unseen.
    func lostTables() throws -> [CapturedTable] {
        let statement = try PreparedStatement(
            connection,
            """
            SELECT name, sql, rowid < (SELECT rowid FROM sqlite_schema WHERE type = 'view' AND name = '\(Self.guardName)')
            FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'tideline\\_%' ESCAPE '\\'
            """
        )
        var found: [String: String] = [:]
        while try statement.step() {
            if statement.integer(2) == 1 { found[statement.string(0) ?? ""] = statement.string(1) ?? "" }
        }
        return try tables().filter { table in
            guard let definitions = try triggers(table)?.definitions else { return true }
            return definitions.contains { found[$0.name] != $0.sql }
        }
    }

    /// Makes lost capture again and begins a new epoch: what was written meanwhile is in no log.
    ///
    /// In a write transaction.
    ///
    /// - Throws: ``StorageError/Code/schemaChanged`` when a table is gone or has lost a column of its key.
    func restore(_ lost: [CapturedTable]) throws {
        for table in lost { try change(table, to: withoutLostColumns(table), isLost: true) }
        try renewGuard()
        try beginEpoch()
    }

    func renewGuard() throws {
        // Every trigger must be older than the guard again, so the ones that stayed do not matter and it goes last.
        try run("DROP VIEW IF EXISTS \(Self.guardName)")
        try run("CREATE VIEW \(Self.guardName) AS SELECT 1 AS one")
    }

    private func triggers(_ table: CapturedTable) throws -> CaptureTriggers? {
        guard let shape = try TableShape(table.name, in: connection) else { return nil }
        var triggers = CaptureTriggers(shape: shape, key: table.key, columns: table.columns, scopes: table.scopes)
        triggers.notesReuse = try state(KeyReuse.state) != nil
        for items in table.items {
            guard let shape = try TableShape(items.name, in: connection) else { return nil }
            triggers.items.append((shape, items.key))
        }
        return triggers
    }

    func createTriggers(_ table: CapturedTable) throws {
        guard let triggers = try triggers(table) else {
            throw StorageError(.schemaChanged, set: table.name, message: "The table \(table.name) no longer exists.")
        }
        let columns = Set(triggers.shape.columns.map(\.name))
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
        for kind in CaptureTriggers.kinds {
            try run("DROP TRIGGER IF EXISTS \(SQLToken.name("tideline_\(kind)_\(table.name)"))")
        }
        try requireItemColumns(triggers, table)
        for definition in triggers.itemDefinitions {
            try run("DROP TRIGGER IF EXISTS \(SQLToken.name(definition.name))")
        }
        for definition in triggers.definitions { try run(definition.sql) }
        try triggers.reusedKey == nil ? KeyReuse.forget(table.name, self) : KeyReuse.watch(table.name, self)
    }

    func remember(_ table: CapturedTable) throws {
        let statement = try PreparedStatement(
            connection,
            """
            INSERT OR REPLACE INTO tideline_capture(table_name, key_columns, columns, scopes, scope_from)
            VALUES (?, ?, ?, ?, coalesce((SELECT max(seq) FROM tideline_log), 0))
            """
        )
        statement.bind(table.name, 1)
        statement.bind(QuotedValue.text(table.key), 2)
        statement.bind(QuotedValue.text(table.columns), 3)
        statement.bind(QuotedValue.text(table.scopes), 4)
        try statement.run()
    }

    // MARK: State

    func state(_ name: String) throws -> String? {
        let statement = try PreparedStatement.cached(connection, "SELECT value FROM tideline_state WHERE name = ?")
        statement.bind(name, 1)
        defer { statement.reset() }
        return try statement.step() ? statement.string(0) : nil
    }

    func stateBytes(_ name: String) throws -> [UInt8]? {
        let statement = try PreparedStatement.cached(connection, "SELECT value FROM tideline_state WHERE name = ?")
        statement.bind(name, 1)
        defer { statement.reset() }
        return try statement.step() ? statement.bytes(0) : nil
    }

    func setState(_ name: String, _ value: String) throws {
        let statement = try stateWriter()
        statement.bind(name, 1)
        statement.bind(value, 2)
        try statement.run()
    }

    func setState(_ name: String, _ value: [UInt8]) throws {
        let statement = try stateWriter()
        statement.bind(name, 1)
        statement.bind(value, 2)
        try statement.run()
    }

    private func stateWriter() throws -> PreparedStatement {
        try PreparedStatement(connection, "INSERT OR REPLACE INTO tideline_state(name, value) VALUES (?, ?)")
    }

    /// Sixteen random bytes.
    func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    func run(_ sql: String) throws { try PreparedStatement(connection, sql).run() }

    private func names(_ sql: String) throws -> [String] {
        let statement = try PreparedStatement(connection, sql)
        var names: [String] = []
        while try statement.step() { names.append(statement.string(0) ?? "") }
        return names
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// Following tables that change: what was captured stays, and so do marks, answers and tokens wherever they still hold.
extension Capture {
    /// Captures what is wanted now, and nothing beside it.
    ///
    /// A new epoch begins only where changes may have passed unseen: capture was lost, a key is another one, or a table
    /// comes back that was left out for a while. In a write transaction, of a role that owns the tables.
    func follow(_ wanted: [CapturedTable]) throws {
        try connection.execute("LOCK TABLE tideline.capture IN SHARE ROW EXCLUSIVE MODE")
        let known = try tables()
        func find(_ table: CapturedTable, in tables: [CapturedTable]) -> CapturedTable? {
            tables.first { $0.schema == table.schema && $0.name == table.name }
        }
        // Looked at before anything is touched; what is wanted no more, or gone, is not missed.
        let isWhole = try isWhole()
        let isCopy = try state("identity") != connection.query(CaptureSchema.identity)[0].string(0)
        let broken = try brokenTables()
        for table in known {
            // Without a column of its key it cannot be captured as it was, not even to be changed: it begins anew.
            let hasKey = try columns(of: table)?.isSuperset(of: table.key) ?? true
            if !hasKey || find(table, in: wanted) == nil { try forget(table) }
        }
        let isLost = try tables().contains { broken.contains($0.identifier) || !$0.items.isEmpty }
        if !isWhole, try isCopy || isLost || !labelsStay() { try restore() }
        var passed = false
        for table in wanted {
            guard let before = find(table, in: try tables()) else {
                let name = "left:\(table.schema).\(table.name)"
                if try state(name) != nil { passed = true }
                _ = try connection.query("DELETE FROM tideline.state WHERE name = $1", [.text(name)])
                try capture(table)
                continue
            }
            var next = try withoutLostColumns(before)
            next.key = table.key
            next.items = table.items
            next.columns = LoggedPlaces.columns(before.columns, captured: table.columns)
            guard next != before else { continue }
            if before.key != next.key || Set(before.items) != Set(next.items) { passed = true }
            if before.items != next.items { try rememberItems(next) }
            try change(to: next)
        }
        try CommitNotice(connection: connection).createTriggers(on: tables())
        if passed { try connection.execute("SELECT tideline.begin_epoch('lost')") }
        try sign()
    }

    /// The tables whose columns or triggers are not what was signed.
    func brokenTables() throws -> Set<Int64> {
        Set(
            try connection.query(CaptureSchema.signatures).compactMap { row in
                row.boolean(1) == true ? nil : row.integer(0)
            }
        )
    }

    /// Begins to capture a table.
    func capture(_ table: CapturedTable) throws {
        var table = table
        table.scopes = try narrowable(table.scopes, table)
        let row = try connection.query(
            """
            INSERT INTO tideline.capture(schema_name, table_name, key_columns, columns, scopes)
            VALUES ($1, $2, $3, $4, $5) RETURNING set_id
            """,
            [
                .text(table.schema), .text(table.name), .text(Self.json(table.key)),
                .text(Self.json(table.columns)), .text(Self.json(table.scopes)),
            ]
        )
        table.identifier = row[0].integer(0) ?? 0
        try rememberItems(table)
        try createTriggers(table)
    }

    /// Captures the columns that a model has of tables that are captured, and no others.
    ///
    /// So a column that is published no more can be dropped: a trigger that named it would end every write of the table.
    /// In a write transaction, and where something changes of a role that owns the tables.
    func setColumns(_ columns: [String: [String]], schema: String) throws {
        for table in try tables() where table.schema == schema {
            guard let wanted = columns[table.name], let there = try self.columns(of: table) else { continue }
            var next = table
            next.columns = LoggedPlaces.columns(table.columns, captured: wanted.filter(there.contains))
            guard next != table else { continue }
            try change(to: next)
            try sign(table.identifier)
        }
    }

    /// A table without the columns that it has lost; its key stays.
    func withoutLostColumns(_ table: CapturedTable) throws -> CapturedTable {
        guard let there = try columns(of: table) else { return table }
        var next = table
        next.columns = LoggedPlaces.columns(table.columns, captured: table.columns.filter(there.contains))
        next.scopes = table.scopes.filter(there.contains)
        return next
    }

    /// Remembers what is captured of a table from now on, and makes its triggers; they are not signed yet.
    func change(to table: CapturedTable) throws {
        _ = try connection.query(
            "UPDATE tideline.capture SET key_columns = $2, columns = $3, scopes = $4 WHERE set_id = $1",
            [
                .integer(table.identifier), .text(Self.json(table.key)), .text(Self.json(table.columns)),
                .text(Self.json(table.scopes)),
            ]
        )
        try createTriggers(table)
    }

    func columns(of table: CapturedTable) throws -> Set<String>? {
        try Catalog(connection: connection, schema: table.schema).shapes(table.name).first.map { shape in
            Set(shape.columns.map(\.name))
        }
    }

    /// Captures a table no more, which may be gone; that it was left out is remembered.
    private func forget(_ table: CapturedTable) throws {
        // The triggers go with the functions that they call, those on the tables of its items and on partitions too.
        let functions = try connection.query(
            """
            SELECT p.oid::regprocedure::text FROM pg_catalog.pg_proc AS p
            WHERE p.pronamespace = to_regnamespace('tideline')
            AND (p.proname = $1 OR p.proname = $2 OR starts_with(p.proname::text, $3))
            """,
            [
                .text("capture_\(table.identifier)"), .text("scope_\(table.identifier)"),
                .text("items_\(table.identifier)_"),
            ]
        )
        for row in functions { try connection.execute("DROP FUNCTION \(row.string(0) ?? "") CASCADE") }
        for row in try connection.query(
            """
            SELECT t.tgname, t.tgrelid::regclass::text FROM pg_catalog.pg_trigger AS t
            JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
            WHERE p.pronamespace = to_regnamespace('tideline') AND t.tgparentid = 0
            AND t.tgrelid = (SELECT relation FROM tideline.capture WHERE set_id = $1)
            """,
            [.integer(table.identifier)]
        ) {
            try connection.execute("DROP TRIGGER \(SQLToken.name(row.string(0) ?? "")) ON \(row.string(1) ?? "")")
        }
        // What was seen of its entries was seen: positions do not go back when they count no more.
        let newest = try connection.query(
            "SELECT l.tx::text FROM tideline.log AS l WHERE l.set_id = $1 ORDER BY l.tx DESC LIMIT 1",
            [.integer(table.identifier)]
        )
        if newest.rowCount > 0, let last = newest[0].string(0).flatMap({ UInt64($0) }) {
            let before = try state("left").flatMap { UInt64($0) } ?? 0
            try setState("left", String(max(last, before)))
        }
        _ = try connection.query("DELETE FROM tideline.capture WHERE set_id = $1", [.integer(table.identifier)])
        try setState("left:\(table.schema).\(table.name)", "1")
    }
}

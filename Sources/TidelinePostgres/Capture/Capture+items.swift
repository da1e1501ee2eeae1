// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension Capture {
    /// The tables with what is remembered of their items; databases published long ago remember none.
    func withItems(_ tables: [CapturedTable]) throws -> [CapturedTable] {
        guard try connection.query("SELECT to_regclass('tideline.items') IS NOT NULL")[0].boolean(0) == true else {
            return tables
        }
        var tables = tables
        for row in try connection.query(
            "SELECT set_id, items, key_columns FROM tideline.items ORDER BY set_id, items, key_columns"
        ) {
            guard let place = tables.firstIndex(where: { $0.identifier == row.integer(0) }) else { continue }
            tables[place].items.append(
                CapturedItems(name: row.string(1) ?? "", key: try LoggedValue.texts(row.string(2) ?? "[]"))
            )
        }
        return tables
    }

    func rememberItems(_ table: CapturedTable) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS tideline.items(set_id integer NOT NULL, items text COLLATE "C" NOT NULL, \
            key_columns text COLLATE "C" NOT NULL, PRIMARY KEY(set_id, items, key_columns))
            """
        )
        _ = try connection.query("DELETE FROM tideline.items WHERE set_id = $1", [.integer(table.identifier)])
        for items in table.items {
            _ = try connection.query(
                "INSERT INTO tideline.items VALUES ($1, $2, $3)",
                [.integer(table.identifier), .text(items.name), .text(Self.json(items.key))]
            )
        }
    }

    /// Captures the tables of collections that the model has now; where others come, a new epoch begins.
    ///
    /// In a write transaction, and where something changes of a role that owns the tables.
    func setItems(of model: EntityModel, schema: String) throws {
        var isChanged = false
        let known = try tables()
        for set in model.sets where !set.isReadOnly {
            guard var table = known.first(where: { $0.schema == schema && $0.name == set.names.database }) else {
                continue
            }
            let wanted = set.type.capturedItems
            guard Set(wanted) != Set(table.items) else { continue }
            table.items = wanted
            try rememberItems(table)
            try createTriggers(table)
            isChanged = true
        }
        guard isChanged else { return }
        try connection.execute("SELECT tideline.begin_epoch('items')")
        try sign()
    }

    /// Makes the triggers on the tables of a table's items, in place of those that are there.
    ///
    /// - Throws: ``StorageError/Code/schemaChanged`` when a table of items is gone or lacks a column.
    func createItemTriggers(_ triggers: CaptureTriggers) throws {
        let table = triggers.table
        for row in try connection.query(
            """
            SELECT t.tgname, t.tgrelid::regclass::text FROM pg_catalog.pg_trigger AS t
            WHERE starts_with(t.tgname::text, $1) AND t.tgparentid = 0
            """,
            [.text("\(CaptureTriggers.prefix)items_\(table.identifier)_")]
        ) {
            try connection.execute("DROP TRIGGER \(SQLToken.name(row.string(0) ?? "")) ON \(row.string(1) ?? "")")
        }
        for (place, items) in table.items.enumerated() {
            let shape = try Catalog(connection: connection, schema: table.schema).shapes(items.name).first
            let columns = Set(shape?.columns.map(\.name) ?? [])
            guard let shape, !shape.isView, items.key.allSatisfy(columns.contains) else {
                throw StorageError(
                    .schemaChanged,
                    set: table.name,
                    properties: items.key.filter { !columns.contains($0) },
                    message: "The table \(items.name) no longer exists, or lacks a column."
                )
            }
            for sql in triggers.itemStatements(items, shape, number: place) { try connection.execute(sql) }
        }
    }
}

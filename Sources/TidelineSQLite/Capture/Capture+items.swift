// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStorage

extension Capture {
    static let itemsStatement = """
        CREATE TABLE IF NOT EXISTS tideline_items(table_name TEXT NOT NULL, items TEXT NOT NULL, key_columns TEXT NOT NULL, \
        PRIMARY KEY(table_name, items, key_columns)) WITHOUT ROWID
        """

    /// The tables with what is remembered of their items; databases published long ago remember none.
    func withItems(_ tables: [CapturedTable]) throws -> [CapturedTable] {
        let known = try PreparedStatement(
            connection,
            "SELECT count(*) FROM sqlite_schema WHERE name = 'tideline_items' AND type = 'table'"
        )
        guard try known.step(), known.integer(0) > 0 else { return tables }
        known.reset()
        let statement = try PreparedStatement(
            connection,
            "SELECT table_name, items, key_columns FROM tideline_items ORDER BY table_name, items, key_columns"
        )
        var tables = tables
        while try statement.step() {
            guard let place = tables.firstIndex(where: { $0.name == statement.string(0) }) else { continue }
            tables[place].items.append(
                CapturedItems(
                    name: statement.string(1) ?? "",
                    key: try QuotedValue.texts(statement.string(2) ?? "")
                )
            )
        }
        return tables
    }

    func rememberItems(_ table: CapturedTable) throws {
        try run(Self.itemsStatement)
        let delete = try PreparedStatement(connection, "DELETE FROM tideline_items WHERE table_name = ?")
        delete.bind(table.name, 1)
        try delete.run()
        for items in table.items {
            let insert = try PreparedStatement(connection, "INSERT INTO tideline_items VALUES (?, ?, ?)")
            insert.bind(table.name, 1)
            insert.bind(items.name, 2)
            insert.bind(QuotedValue.text(items.key), 3)
            try insert.run()
        }
    }

    /// Captures the tables of collections that the model has now; where others come, a new epoch begins.
    ///
    /// In a write transaction.
    func setItems(of model: EntityModel) throws {
        var isChanged = false
        let known = try tables()
        for set in model.sets where !set.isReadOnly {
            guard var table = known.first(where: { $0.name == set.names.database }) else { continue }
            let wanted = set.type.capturedItems
            guard Set(wanted) != Set(table.items) else { continue }
            try dropItemTriggers(table.items.filter { !wanted.contains($0) }, of: table.name)
            table.items = wanted
            try rememberItems(table)
            try createTriggers(table)
            isChanged = true
        }
        guard isChanged else { return }
        try renewGuard()
        try beginEpoch()
    }

    func dropItemTriggers(_ items: [CapturedItems], of table: String) throws {
        for gone in items {
            for name in CaptureTriggers.itemNames(gone.name, of: table) {
                try run("DROP TRIGGER IF EXISTS \(SQLToken.name(name))")
            }
        }
    }

    /// - Throws: ``StorageError/Code/schemaChanged`` when a table of items lacks a column.
    func requireItemColumns(_ triggers: CaptureTriggers, _ table: CapturedTable) throws {
        for (shape, key) in triggers.items {
            let columns = Set(shape.columns.map(\.name))
            if let missing = key.first(where: { !columns.contains($0) }) {
                throw StorageError(
                    .schemaChanged,
                    set: table.name,
                    properties: [missing],
                    message: "The table \(shape.name) has no column \(missing)."
                )
            }
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// Following tables that change: what was captured stays, and so do marks, answers and tokens wherever they still hold.
extension Capture {
    /// Captures what is wanted now, and nothing beside it.
    ///
    /// A new epoch begins only where changes may have passed unseen: triggers were lost, a key is another one, or a table
    /// comes back that was left out for a while. In a write transaction.
    func follow(_ wanted: [CapturedTable]) throws {
        let lost = Set(try lostTables().map(\.name))
        var passed = false
        let known = Dictionary(try tables().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for name in known.keys.sorted() where !wanted.contains(where: { $0.name == name }) { try forget(name) }
        for table in wanted {
            guard let before = known[table.name] else {
                if try state("left:\(table.name)") != nil { passed = true }
                try run("DELETE FROM tideline_state WHERE name = \(SQLToken.text("left:\(table.name)"))")
                try remember(table)
                try rememberItems(table)
                try createTriggers(table)
                continue
            }
            if lost.contains(table.name) || before.key != table.key { passed = true }
            var next = try withoutLostColumns(before)
            next.key = table.key
            if Set(before.items) != Set(table.items) {
                passed = true
                next.items = table.items
                try dropItemTriggers(before.items.filter { !table.items.contains($0) }, of: table.name)
                try rememberItems(next)
            }
            next.columns = LoggedPlaces.columns(before.columns, captured: table.columns)
            try change(before, to: next, isLost: lost.contains(table.name))
        }
        try renewGuard()
        if passed { try beginEpoch() }
    }

    /// Captures the columns that a model has of tables that are captured, and no others.
    ///
    /// So a column that is published no more can be dropped: SQLite refuses it while a trigger names the column. In a write
    /// transaction.
    func setColumns(_ columns: [String: [String]]) throws {
        var isChanged = false
        for table in try tables() {
            guard let wanted = columns[table.name], let shape = try TableShape(table.name, in: connection) else {
                continue
            }
            let there = Set(shape.columns.map(\.name))
            var next = table
            next.columns = LoggedPlaces.columns(table.columns, captured: wanted.filter(there.contains))
            guard next != table else { continue }
            try change(table, to: next, isLost: false)
            isChanged = true
        }
        if isChanged { try renewGuard() }
    }

    /// A table without the columns that it has lost; its key stays.
    func withoutLostColumns(_ table: CapturedTable) throws -> CapturedTable {
        guard let shape = try TableShape(table.name, in: connection) else { return table }
        let there = Set(shape.columns.map(\.name))
        var next = table
        next.columns = LoggedPlaces.columns(table.columns, captured: table.columns.filter(there.contains))
        next.scopes = table.scopes.filter(there.contains)
        return next
    }

    /// Remembers what is captured of a table from now on, and makes its triggers.
    func change(_ table: CapturedTable, to next: CapturedTable, isLost: Bool) throws {
        guard next != table || isLost else { return }
        let statement = try PreparedStatement(
            connection,
            "UPDATE tideline_capture SET key_columns = ?2, columns = ?3, scopes = ?4 WHERE table_name = ?1"
        )
        statement.bind(next.name, 1)
        statement.bind(QuotedValue.text(next.key), 2)
        statement.bind(QuotedValue.text(next.columns), 3)
        statement.bind(QuotedValue.text(next.scopes), 4)
        try statement.run()
        try createTriggers(next)
    }

    /// Captures a table no more, which may be gone; that it was left out is remembered.
    private func forget(_ table: String) throws {
        for kind in CaptureTriggers.kinds {
            try run("DROP TRIGGER IF EXISTS \(SQLToken.name("tideline_\(kind)_\(table)"))")
        }
        try dropItemTriggers(try tables().first { $0.name == table }?.items ?? [], of: table)
        for relation in ["tideline_items", "tideline_capture"] {
            try run("DELETE FROM \(relation) WHERE table_name = \(SQLToken.text(table))")
        }
        try setState("left:\(table)", "1")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Moves the rows of a file into the tables of its new arrangement.
struct MigratedTables {
    let connection: Connection
    let mapping: LayoutMapping

    /// - Parameter connection: of the new layout, inside the transaction.
    init(_ connection: Connection, _ mapping: LayoutMapping) {
        self.connection = connection
        self.mapping = mapping
    }

    private func aside(_ set: SetLayout) -> String { SetLayout.quoted("tideline_old_\(set.index)") }

    func move() throws {
        for set in mapping.old.sets {
            for sql in set.dropIndexSQL { try connection.run(sql) }
            for table in [set.loadTable, set.stageTable] { try connection.run("DROP TABLE IF EXISTS main.\(table)") }
            // All names are free then: sets may have swapped theirs.
            try connection.run("ALTER TABLE main.\(set.table) RENAME TO \(aside(set))")
        }
        for set in mapping.new.sets {
            guard let mapped = mapping.sets.first(where: { $0.new.index == set.index }) else {
                try create(set)
                continue
            }
            if !mapped.staysInPlace || mapping.targets(of: mapped.old.index).count > 1 {
                try create(set)
                try copy(mapped)
            }
        }
        for old in mapping.old.sets {
            let targets = mapping.targets(of: old.index)
            if let only = targets.first, targets.count == 1, only.staysInPlace {
                try keep(only)
            } else {
                try connection.run("DROP TABLE main.\(aside(old))")
            }
        }
        try makeIndexes()
    }

    /// Makes the indexes anew where no table changes: foreign keys and unique values may be other ones.
    func index() throws {
        for set in mapping.old.sets where set.indexSQL != mapping.new.sets[set.index].indexSQL {
            for sql in set.dropIndexSQL { try connection.run(sql) }
            for sql in mapping.new.sets[set.index].indexSQL { try connection.run(sql) }
        }
    }

    private func makeIndexes() throws {
        connection.forgetStatements()
        for set in mapping.new.sets {
            for sql in set.indexSQL { try connection.run(sql) }
        }
    }

    private func create(_ set: SetLayout) throws {
        try connection.run("CREATE TABLE main.\(set.table) \(set.declaration(staging: false))")
    }

    // MARK: In place

    /// Gives a table its new columns and its name; no row is rewritten where a column is added without a value.
    private func keep(_ mapped: MappedSet) throws {
        let table = aside(mapped.old)
        let kept = Set(mapped.sources.compactMap(\.place))
        for column in mapped.old.columns where !kept.contains(column.place) {
            try connection.run("ALTER TABLE main.\(table) DROP COLUMN \(mapped.old.column(column.place))")
        }
        let renamed = mapped.sources.enumerated().filter { new, source in
            source.place.map { mapped.old.column($0) != mapped.new.column(new) } ?? false
        }
        for (new, source) in renamed {
            guard let place = source.place else { continue }
            try rename(mapped.old.column(place), to: "tideline_new_\(new)", in: table)
        }
        for (new, _) in renamed { try rename("tideline_new_\(new)", to: mapped.new.column(new), in: table) }
        for (column, source) in zip(mapped.new.columns, mapped.sources) {
            let name = mapped.new.column(column.place)
            if source.place == nil {
                try connection.run("ALTER TABLE main.\(table) ADD COLUMN \(name) \(column.declaration)")
            }
            guard !source.fallback.isNull else { continue }
            try connection.run("UPDATE main.\(table) SET \(name) = ? WHERE \(name) IS NULL") {
                column.append(source.fallback, to: $0)
            }
        }
        try connection.run("ALTER TABLE main.\(table) RENAME TO \(mapped.new.table)")
    }

    private func rename(_ column: String, to new: String, in table: String) throws {
        try connection.run("ALTER TABLE main.\(table) RENAME COLUMN \(column) TO \(new)")
    }

    // MARK: Row by row

    private func copy(_ mapped: MappedSet) throws {
        let (old, new) = (mapped.old, mapped.new)
        let marks = new.columns.map { _ in "?" }.joined(separator: ", ")
        let insert =
            "INSERT INTO main.\(new.table) (\(new.list(new.columns.indices)), tideline_etag) VALUES (\(marks), ?)"
        let rows = try connection.statement(
            "SELECT \(old.list(old.columns.indices)), tideline_etag FROM main.\(aside(old))"
        )
        defer { rows.reset() }
        while try rows.step() {
            let row = try Connection.row(rows, old)
            let values = try mapped.row(row.values)
            try connection.run(insert) { buffer in
                for (column, value) in zip(new.columns, values) {
                    // Rows of the server may break rules; their form has to be right.
                    column.append(value, to: buffer)
                }
                if mapped.isPrimary, let etag = row.etag { buffer.text(etag) } else { buffer.null() }
            }
        }
    }
}

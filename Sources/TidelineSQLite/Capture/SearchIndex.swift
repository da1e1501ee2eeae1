// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStorage

/// The full-text indexes of a published database: tables of FTS5, kept right by triggers on the tables.
///
///     tideline_search_notes(c0, c1)      a copy of the columns, by the rowid of the row
///     tideline_found_insert_notes, …     AFTER INSERT, UPDATE and DELETE
///
/// The copy is what makes the triggers safe: a row that REPLACE removes without telling a trigger leaves an entry that
/// leads to no row, and is replaced when the rowid is used again. A table is indexed when its key is an INTEGER PRIMARY
/// KEY, because VACUUM may number the rows of others anew; in others the words are looked for row by row.
/// Source: SQLite, "FTS5 Extension".
struct SearchIndex {
    let connection: Database

    /// Makes the indexes that a model asks for where they are missing or not what they should be, and removes others.
    ///
    /// In a write transaction.
    ///
    /// - Parameter lost: the tables whose changes may have gone unseen, by name.
    /// - Returns: the rowid column of each table that has an index, by the wire name of the set.
    func update(_ model: EntityModel, lost: Set<String>) throws -> [String: String] {
        var indexed: [String: String] = [:]
        var known = try objects()
        var tables: Set<String> = []
        for set in model.sets where set.type.searchesWords && !set.type.searchProperties.isEmpty {
            let table = set.names.database
            guard let shape = try TableShape(table, in: connection), let column = shape.rowIDColumn,
                tables.insert(table).inserted
            else { continue }
            indexed[set.names.wire] = column
            let wanted = Self.definitions(of: set, rowID: column)
            let isThere = wanted.allSatisfy { known[$0.name] == $0.sql }
            for definition in wanted { known[definition.name] = nil }
            if !isThere || lost.contains(table) { try make(wanted, of: set, rowID: column) }
        }
        try drop(known.keys.sorted())
        return indexed
    }

    /// Whether the indexes that a model asks for are there.
    func isWhole(_ model: EntityModel, _ indexed: [String: String]) throws -> Bool {
        guard !indexed.isEmpty else { return true }
        let known = try objects()
        return model.sets.allSatisfy { set in
            guard set.type.searchesWords, let column = indexed[set.names.wire] else { return true }
            return Self.definitions(of: set, rowID: column).allSatisfy { known[$0.name] == $0.sql }
        }
    }

    /// Removes all indexes.
    ///
    /// In a write transaction.
    func remove() throws {
        try drop(try objects().keys.sorted())
    }

    /// The tables and triggers of ours that are there: their names and texts.
    private func objects() throws -> [String: String] {
        let statement = try PreparedStatement(
            connection,
            """
            SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'tideline\\_found\\_%' ESCAPE '\\'
            OR type = 'table' AND name LIKE 'tideline\\_search\\_%' ESCAPE '\\' AND sql LIKE 'CREATE VIRTUAL TABLE%'
            """
        )
        var objects: [String: String] = [:]
        while try statement.step() { objects[statement.string(0) ?? ""] = statement.string(1) ?? "" }
        return objects
    }

    private func drop(_ names: [String]) throws {
        for name in names {
            let kind = name.hasPrefix("tideline_found_") ? "TRIGGER" : "TABLE"
            try run("DROP \(kind) IF EXISTS \(SQLToken.name(name))")
        }
    }

    private func make(_ definitions: [(name: String, sql: String)], of set: EntitySet, rowID: String) throws {
        try drop(definitions.map(\.name))
        for definition in definitions { try run(definition.sql) }
        let columns = Self.columns(of: set)
        let index = SQLToken.name(SQLiteDialect.searchIndex(of: set.names.database))
        let names = columns.indices.map { "c\($0)" }.joined(separator: ", ")
        try run(
            "INSERT INTO \(index)(rowid, \(names)) SELECT \(([rowID] + columns).map(SQLToken.name).joined(separator: ", "))"
                + " FROM \(SQLToken.name(set.names.database))"
        )
    }

    private static func columns(of set: EntitySet) -> [String] {
        set.type.searchProperties.map { set.type.properties[$0].names.database }
    }

    /// The names and the exact texts of the table and its triggers, the table first.
    private static func definitions(of set: EntitySet, rowID: String) -> [(name: String, sql: String)] {
        let table = set.names.database
        let columns = columns(of: set)
        let name = SQLiteDialect.searchIndex(of: table)
        let index = SQLToken.name(name)
        let names = columns.indices.map { "c\($0)" }.joined(separator: ", ")
        let values = ([rowID] + columns).map { "NEW.\(SQLToken.name($0))" }.joined(separator: ", ")
        // First away with what stands there, so that no conflict can be met: the outer statement's clause would rule.
        let removeOld = "DELETE FROM \(index) WHERE rowid = OLD.\(SQLToken.name(rowID))"
        let removeNew = "DELETE FROM \(index) WHERE rowid = NEW.\(SQLToken.name(rowID))"
        let insert = "INSERT INTO \(index)(rowid, \(names)) VALUES (\(values))"
        func trigger(_ event: String, _ statements: [String]) -> (name: String, sql: String) {
            let name = "tideline_found_\(event)_\(table)"
            return (
                name,
                "CREATE TRIGGER \(SQLToken.name(name)) AFTER \(event.uppercased()) ON \(SQLToken.name(table)) BEGIN\n"
                    + statements.map { "  \($0);\n" }.joined() + "END"
            )
        }
        return [
            (
                name,
                "CREATE VIRTUAL TABLE \(index) USING fts5(\(names), tokenize = 'unicode61 remove_diacritics 2')"
            ),
            trigger("insert", [removeNew, insert]),
            trigger("update", [removeOld, removeNew, insert]),
            trigger("delete", [removeOld]),
        ]
    }

    private func run(_ sql: String) throws { try PreparedStatement(connection, sql).run() }
}

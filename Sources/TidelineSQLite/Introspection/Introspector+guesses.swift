// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// What guesses about features of the model rest on, besides the columns.
extension Introspector {
    /// Whether the values that are there keep to the list of a CHECK, letter by letter; else the list is dropped.
    ///
    /// A constraint may have been passed by, and a collation may take `a` for `A`.
    func keeps(_ property: inout Property, _ shape: TableShape) throws -> Bool {
        let texts = property.allowedValues.compactMap { value in
            if case .string(let text) = value { text } else { nil }
        }
        guard !texts.isEmpty else { return true }
        let column = SQLToken.name(property.names.database)
        let list = texts.map(SQLToken.text).joined(separator: ", ")
        let statement = try PreparedStatement(
            connection,
            "SELECT count(*) FROM \(SQLToken.name(shape.name)) WHERE \(column) COLLATE BINARY NOT IN (\(list))"
        )
        defer { statement.reset() }
        guard try statement.step(), statement.integer(0) > 0 else { return true }
        property.allowedValues = []
        return false
    }

    /// What columns of JSON hold: those that are declared so, or that a CHECK says so of.
    func json(_ shape: TableShape, _ properties: [Property], _ rules: CheckRules) throws -> [String: JSONContent] {
        var found: [String: JSONContent] = [:]
        for property in properties where property.type == .string {
            let name = property.names.database
            let isDeclared = shape.columns.contains { $0.name == name && $0.declaredType.contains("JSON") }
            guard isDeclared || rules[name]?.isJSON == true else { continue }
            let column = SQLToken.name(name)
            let table = SQLToken.name(shape.name)
            let invalid = try texts("SELECT '1' FROM \(table) WHERE NOT json_valid(\(column)) LIMIT 1")
            guard invalid.isEmpty else { continue }
            var kinds = try texts("SELECT DISTINCT json_type(\(column)) FROM \(table) WHERE \(column) IS NOT NULL")
            if kinds.isEmpty, let kind = rules[name]?.jsonType { kinds = [kind] }
            let items = try texts(
                "SELECT DISTINCT e.type FROM \(table) AS t, json_each(t.\(column)) AS e WHERE json_type(t.\(column)) = 'array'"
            )
            found[name] = JSONContent(kinds: kinds, items: items)
        }
        return found
    }

    /// The columns that a trigger sets when a row is updated, in lower case.
    func triggered(_ shape: TableShape) throws -> Set<String> {
        let statement = try PreparedStatement(
            connection,
            "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE"
        )
        statement.bind(shape.name, 1)
        var columns: Set<String> = []
        while try statement.step() {
            let words = SQLScanner.wordList(of: statement.string(0) ?? "")
            guard let start = words.firstIndex(of: "BEGIN"), words[..<start].contains("UPDATE") else { continue }
            let body = words[start...]
            for column in shape.columns {
                let name = column.name.uppercased()
                guard let set = body.firstIndex(of: "SET"), set + 1 < body.endIndex, body[set + 1] == name else {
                    continue
                }
                columns.insert(column.name.lowercased())
            }
        }
        return columns
    }

    private func texts(_ sql: String) throws -> Set<String> {
        let statement = try PreparedStatement(connection, sql)
        var found: Set<String> = []
        while try statement.step() { if let text = statement.string(0) { found.insert(text) } }
        return found
    }
}

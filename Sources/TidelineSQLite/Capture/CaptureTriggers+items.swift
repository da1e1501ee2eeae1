// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// The triggers on tables whose rows are parts of the table's rows: each change is logged as one of the row itself.
///
///     INSERT, UPDATE, DELETE, REPLACE of post_tags   →   'U' of the post, with its before-image
///
/// A row that is gone already, as when its parts are deleted with it, is logged by its own trigger.
extension CaptureTriggers {
    static func itemNames(_ items: String, of table: String) -> [String] {
        ["insert", "update", "delete"].map { "tideline_items_\($0)_\(items)>\(table)" }
    }

    var itemDefinitions: [(name: String, sql: String)] {
        items.flatMap { shape, key -> [(name: String, sql: String)] in
            let names = Self.itemNames(shape.name, of: self.shape.name)
            let isMoved = key.map { "NEW.\(SQLToken.name($0)) IS NOT OLD.\(SQLToken.name($0))" }
                .joined(separator: " OR ")
            let bodies: [(event: String, statements: [String])] = [
                ("BEFORE INSERT", replaced(shape, key) + entries(key, "NEW")),
                ("BEFORE UPDATE", replaced(shape, key) + entries(key, "OLD") + entries(key, "NEW", where: isMoved)),
                ("BEFORE DELETE", entries(key, "OLD")),
            ]
            return zip(names, bodies).map { name, body in
                (
                    name,
                    "CREATE TRIGGER \(SQLToken.name(name)) \(body.event) ON \(SQLToken.name(shape.name)) BEGIN\n"
                        + body.statements.map { "  " + $0 + ";\n" }.joined() + "END"
                )
            }
        }
    }

    /// Logs the row that a row of items belongs to, with its scopes.
    private func entries(_ key: [String], _ row: String, where condition: String? = nil, from source: String = "")
        -> [String]
    {
        let matches = zip(self.key, key).map { "p.\(SQLToken.name($0))=\(row).\(SQLToken.name($1))" }
        let conditions = (matches + (condition.map { ["(\($0))"] } ?? [])).joined(separator: " AND ")
        let from = "FROM \(source)\(table) AS p WHERE \(conditions)"
        return [
            "INSERT INTO tideline_log(set_name,key,operation,before) SELECT \(set),\(keyText("p")),'U',\(image("p")) \(from)"
        ]
            + scopes.map { scope in
                let value = "p.\(SQLToken.name(scope))"
                return
                    "INSERT INTO tideline_scope(set_name,property,value,seq) SELECT DISTINCT \(set),\(SQLToken.text(scope)),"
                    + "\(value),last_insert_rowid() \(from) AND \(value) IS NOT NULL"
            }
    }

    /// Logs the rows whose items REPLACE removes: those of a unique key that does not say whose the item is.
    private func replaced(_ shape: TableShape, _ key: [String]) -> [String] {
        shape.uniqueKeys.flatMap { unique -> [String] in
            let columns = unique.parts.compactMap(\.column)
            guard columns.count == unique.parts.count, !Set(key).isSubset(of: columns) else { return [] }
            let matches = unique.parts.map { part in
                let column = SQLToken.name(part.column ?? "")
                return "o.\(column)=NEW.\(column) COLLATE \(SQLToken.name(part.collation))"
            }
            return entries(
                key,
                "o",
                where: matches.joined(separator: " AND "),
                from: "\(SQLToken.name(shape.name)) AS o JOIN "
            )
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// The triggers that log every change of one table.
///
///     BEFORE INSERT   logs rows that REPLACE would remove, through any unique key          'R'
///     AFTER INSERT    logs the new key: only now a generated one is known                  'I', no before-image
///     BEFORE UPDATE   logs rows that REPLACE would remove; the old row; a changed key      'R', 'U', 'I'
///     BEFORE DELETE   logs the row                                                         'D'
///
/// A trigger cannot know whether its statement says REPLACE, so `R` may be logged for a row that stays: the reader of
/// the log looks at the current row and finds it unchanged. REPLACE fires no delete trigger unless recursive triggers
/// are on. Only functions that every SQLite has are used: other programs write these tables too.
/// No statement here can meet a conflict, because inside a trigger the outer statement's conflict clause would rule.
/// Source: SQLite, "CREATE TRIGGER" and "ON CONFLICT clause".
struct CaptureTriggers {
    /// Values longer than this many bytes are not kept in before-images.
    static let longestValue = 256

    let shape: TableShape
    /// The columns of the key by which entries name a row.
    let key: [String]
    /// The columns of before-images, in order; an empty name holds the place of one that is captured no more.
    let columns: [String]
    /// The columns that get scope rows.
    let scopes: [String]
    /// Whether reuses of keys are noted; not in databases that were published before they were.
    var notesReuse = true
    /// The tables whose rows are parts of the rows, and their columns that hold the key.
    var items: [(shape: TableShape, key: [String])] = []

    /// What the names of the triggers of a table itself begin with, after `tideline_`.
    static let kinds = ["replace", "insert", "update", "delete"]

    /// The names and the exact texts of the triggers, as `sqlite_schema` holds them.
    var definitions: [(name: String, sql: String)] {
        [
            trigger(
                "replace",
                "BEFORE INSERT",
                named + shape.uniqueKeys.flatMap { replaced($0, isUpdate: false) }
            ),
            trigger("insert", "AFTER INSERT", [entry("I", row: "NEW", hasBefore: false)] + reused + scopeRows(["NEW"])),
            trigger(
                "update",
                "BEFORE UPDATE",
                shape.uniqueKeys.flatMap { replaced($0, isUpdate: true) }
                    + [entry("U", row: "OLD", hasBefore: true)] + scopeRows(["OLD", "NEW"]) + changedKey()
                    + freed(unless: "NEW")
            ),
            trigger(
                "delete",
                "BEFORE DELETE",
                [entry("D", row: "OLD", hasBefore: true)] + scopeRows(["OLD"]) + freed()
            ),
        ].compactMap { $0 } + itemDefinitions
    }

    private func trigger(_ kind: String, _ event: String, _ statements: [String]) -> (name: String, sql: String)? {
        guard !statements.isEmpty else { return nil }
        let name = "tideline_\(kind)_\(shape.name)"
        return (
            name,
            "CREATE TRIGGER \(SQLToken.name(name)) \(event) ON \(SQLToken.name(shape.name)) BEGIN\n"
                + statements.map { "  " + $0 + ";\n" }.joined() + "END"
        )
    }

    var table: String { SQLToken.name(shape.name) }
    var set: String { SQLToken.text(shape.name) }

    /// The key of a row as text: the literals of its values.
    ///
    /// Text with U+0000, which quote() would cut, as digits.
    func keyText(_ row: String) -> String { Self.keyText(key, of: row) }

    static func keyText(_ columns: [String], of row: String) -> String {
        columns.map { name in
            let value = "\(row).\(SQLToken.name(name))"
            return "CASE WHEN typeof(\(value))='text' AND instr(\(value),char(0))>0 "
                + "THEN 'z'||hex(\(value)) ELSE quote(\(value)) END"
        }.joined(separator: "||','||")
    }

    /// The before-image of a row as text: the literals of its values, `-` for one that is not kept.
    func image(_ row: String) -> String {
        columns.map { name in
            guard !name.isEmpty else { return "'-'" }
            let value = "\(row).\(SQLToken.name(name))"
            return "CASE WHEN typeof(\(value)) IN ('text','blob') AND (length(CAST(\(value) AS BLOB))"
                + ">\(Self.longestValue) OR typeof(\(value))='text' AND instr(\(value),char(0))>0) "
                + "THEN '-' ELSE quote(\(value)) END"
        }.joined(separator: "||','||")
    }

    private func entry(_ operation: String, row: String, hasBefore: Bool) -> String {
        "INSERT INTO tideline_log(set_name,key,operation,before) VALUES(\(set),\(keyText(row)),'\(operation)',"
            + (hasBefore ? image(row) : "NULL") + ")"
    }

    /// Scope rows of the entry just logged: the value before and, where it differs, the value after.
    private func scopeRows(_ rows: [String]) -> [String] {
        scopes.map { scope in
            let column = SQLToken.name(scope)
            let first = "\(rows[0]).\(column)"
            var sql =
                "INSERT INTO tideline_scope(set_name,property,value,seq) "
                + "SELECT \(set),\(SQLToken.text(scope)),\(first),last_insert_rowid() WHERE \(first) IS NOT NULL"
            if rows.count > 1 {
                let second = "\(rows[1]).\(column)"
                sql +=
                    " UNION ALL SELECT \(set),\(SQLToken.text(scope)),\(second),last_insert_rowid() "
                    + "WHERE \(second) IS NOT NULL AND \(second) IS NOT \(first) COLLATE BINARY"
            }
            return sql
        }
    }

    /// Logs the key that a row gets by an update of its key.
    private func changedKey() -> [String] {
        let isChanged = key.map { "NEW.\(SQLToken.name($0)) IS NOT OLD.\(SQLToken.name($0)) COLLATE BINARY" }
            .joined(separator: " OR ")
        let entry =
            "INSERT INTO tideline_log(set_name,key,operation,before) "
            + "SELECT \(set),\(keyText("NEW")),'I',NULL WHERE \(isChanged)"
        return [entry]
            + scopes.map { scope in
                let value = "NEW.\(SQLToken.name(scope))"
                return "INSERT INTO tideline_scope(set_name,property,value,seq) "
                    + "SELECT \(set),\(SQLToken.text(scope)),\(value),last_insert_rowid() "
                    + "WHERE \(value) IS NOT NULL AND (\(isChanged))"
            }
    }

    /// Logs the row that has the new row's values in one unique key: there is at most one.
    private func replaced(_ unique: TableShape.UniqueIndex, isUpdate: Bool) -> [String] {
        var source = table
        if let condition = unique.condition { source = "(SELECT * FROM \(table) WHERE \(condition))" }
        var matches: [String] = []
        var changes: [String] = []
        for (place, part) in unique.parts.enumerated() {
            let collation = SQLToken.name(part.collation)
            if let column = part.column.map(SQLToken.name) {
                matches.append("o.\(column)=NEW.\(column) COLLATE \(collation)")
                changes.append("NEW.\(column) IS NOT OLD.\(column) COLLATE BINARY")
            } else if let expression = part.expression {
                // The expression names columns of the table, so the new row is given to it under the table's name.
                let names = shape.columns.map { "NEW.\(SQLToken.name($0.name)) AS \(SQLToken.name($0.name))" }
                let place = "tideline_\(place)"
                source =
                    "(SELECT *,(\(expression)) AS \(place) FROM \(source == table ? table : source + " AS \(table)"))"
                matches.append(
                    "o.\(place)=(SELECT (\(expression)) FROM (SELECT \(names.joined(separator: ","))) AS \(table)) "
                        + "COLLATE \(collation)"
                )
                changes.append("1")
            }
        }
        guard !matches.isEmpty else { return [] }
        if isUpdate {
            matches.append("(\(changes.joined(separator: " OR ")))")
            if let rowID = shape.rowIDName {
                if source == table { matches.append("o.\(rowID)<>OLD.\(rowID)") }
            } else {
                let same = shape.primaryKey.map { "o.\(SQLToken.name($0)) IS OLD.\(SQLToken.name($0))" }
                if !same.isEmpty { matches.append("NOT(\(same.joined(separator: " AND ")))") }
            }
        }
        let condition = matches.joined(separator: " AND ")
        let entry =
            "INSERT INTO tideline_log(set_name,key,operation,before) "
            + "SELECT \(set),\(keyText("o")),'R',\(image("o")) FROM \(source) AS o WHERE \(condition)"
        return [entry] + freedByReplace(unique)
            + scopes.map { scope in
                let value = "o.\(SQLToken.name(scope))"
                return "INSERT INTO tideline_scope(set_name,property,value,seq) "
                    + "SELECT \(set),\(SQLToken.text(scope)),\(value),last_insert_rowid() FROM \(source) AS o "
                    + "WHERE \(condition) AND \(value) IS NOT NULL"
            }
    }
}

extension TableShape {
    /// Everything through which REPLACE can remove a row: unique indexes, and the rowid under its own or a column's name.
    var uniqueKeys: [UniqueIndex] {
        guard let rowID = rowIDColumn ?? rowIDName else { return uniqueIndexes }
        let part = UniqueIndex.Part(column: rowID, expression: nil, collation: "BINARY")
        return [UniqueIndex(name: "rowid", parts: [part], condition: nil, isPrimaryKey: true)] + uniqueIndexes
    }
}

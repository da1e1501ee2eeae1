// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The rows of collections in tables of their own.
extension PostgresWriter {
    /// The most rows of one statement.
    private static let rowsAtOnce = 200

    func deleteItems(_ items: ItemTable, of key: Key, in set: EntitySet) throws {
        let statements = context.statements(set)
        guard let condition = try statements.condition(key) else { return }
        // By way of the row, so that the key is compared in the types of its own columns.
        let pairs = zip(items.key, set.type.key).map { column, place in
            "i.\(SQLToken.name(column)) = t0.\(SQLToken.name(set.type.properties[place].names.database))"
        }
        let sql =
            "DELETE FROM \(PostgresDialect.quoted(table: items.name)) AS i USING \(statements.table) AS t0 "
            + "WHERE \(pairs.joined(separator: " AND ")) AND \(condition.text)"
        _ = try named { try connection.step(sql, condition.values) }
    }

    func insertItems(_ rows: [[Value]], into items: ItemTable, of key: Key, in set: EntitySet) throws {
        let keyWriters = set.type.key.map { context.statements(set).writers[$0] }
        let known = context.dialect.columns[items.name] ?? [:]
        let writers = items.values.map {
            ColumnWriter($0, known[$0.names.database], set: set.names.wire, model: context.model)
        }
        let columns = items.columns.map(SQLToken.name).joined(separator: ", ")
        let keyParameters = try zip(keyWriters, key.values).map { try $0.parameter($1) }
        for start in stride(from: 0, to: rows.count, by: Self.rowsAtOnce) {
            var marks: [String] = []
            var parameters: [SQLValue] = []
            for number in start..<min(start + Self.rowsAtOnce, rows.count) {
                var row: [String] = []
                for (writer, parameter) in zip(keyWriters, keyParameters) {
                    parameters.append(parameter)
                    row.append(writer.placeholder(parameters.count))
                }
                if items.order != nil {
                    parameters.append(.integer(Int64(number)))
                    row.append("$\(parameters.count)")
                }
                for (writer, value) in zip(writers, rows[number]) {
                    parameters.append(try writer.parameter(value))
                    row.append(writer.placeholder(parameters.count))
                }
                marks.append("(\(row.joined(separator: ", ")))")
            }
            let sql =
                "INSERT INTO \(PostgresDialect.quoted(table: items.name))"
                + "(\(columns)) VALUES \(marks.joined(separator: ", "))"
            _ = try named { try connection.step(sql, parameters) }
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStorage

/// The rows of collections in tables of their own.
extension SQLiteWriter {
    func deleteItems(_ items: ItemTable, of key: Key, in set: EntitySet) throws {
        let condition = items.key.enumerated().map { "\(SQLToken.name($1)) = ?\($0 + 1)" }.joined(separator: " AND ")
        try SQLiteStore.mapped {
            let statement = try PreparedStatement.cached(
                connection,
                "DELETE FROM \(SQLToken.name(items.name)) WHERE \(condition)"
            )
            defer { statement.reset() }
            guard try context.statements(set).bind(key, to: statement) else { return }
            try statement.run()
        }
    }

    func insertItems(_ rows: [[Value]], into items: ItemTable, of key: Key, in set: EntitySet) throws {
        let columns = items.columns
        let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let names = columns.map(SQLToken.name).joined(separator: ", ")
        let writers = items.values.map {
            ColumnWriter($0, set: set.names.wire, enumeration: context.model.enumeration(of: $0))
        }
        let first = columns.count - items.values.count
        try SQLiteStore.mapped {
            let statement = try PreparedStatement.cached(
                connection,
                "INSERT INTO \(SQLToken.name(items.name))(\(names)) VALUES (\(marks))"
            )
            for (number, row) in rows.enumerated() {
                defer { statement.reset() }
                guard try context.statements(set).bind(key, to: statement) else { return }
                if items.order != nil { statement.bind(Int64(number), Int32(first)) }
                for (place, value) in row.enumerated() {
                    try writers[place].bind(value, statement, Int32(first + place + 1))
                }
                try statement.run()
            }
        }
    }
}

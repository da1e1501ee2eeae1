// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStorage

/// Collections in tables of their own: the rows are written with the row that they belong to.
extension SQLiteWriter {
    /// Makes the items of collections what an entity's values say.
    func putItems(_ values: [Int: Value], _ key: Key, in set: EntitySet, isNew: Bool) throws {
        for (place, property) in set.type.properties.enumerated() {
            guard let items = property.items, let value = values[place] else { continue }
            let rows = try ItemRows.rows(value, of: property, set: set.names.wire, model: context.model)
            try named(property, set) {
                if !isNew { try clear(items, key, set) }
                try insert(rows, into: items, key, set)
            }
        }
    }

    /// Removes all items of an entity.
    func clearItems(_ key: Key, in set: EntitySet) throws {
        for property in set.type.properties {
            guard let items = property.items else { continue }
            try named(property, set) { try clear(items, key, set) }
        }
    }

    private func named(_ property: Property, _ set: EntitySet, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as StorageError {
            throw ItemRows.renamed(error, property, set: set.names.wire)
        } catch let error as DatabaseError {
            throw ItemRows.renamed(SQLiteFailure(error).storageError, property, set: set.names.wire)
        }
    }

    private func clear(_ items: ItemTable, _ key: Key, _ set: EntitySet) throws {
        let condition = items.key.enumerated().map { "\(SQLToken.name($1)) = ?\($0 + 1)" }.joined(separator: " AND ")
        let statement = try PreparedStatement.cached(
            connection,
            "DELETE FROM \(SQLToken.name(items.name)) WHERE \(condition)"
        )
        defer { statement.reset() }
        guard try context.statements(set).bind(key, to: statement) else { return }
        try statement.run()
    }

    private func insert(_ rows: [[Value]], into items: ItemTable, _ key: Key, _ set: EntitySet) throws {
        guard !rows.isEmpty else { return }
        let columns = items.key + (items.order.map { [$0] } ?? []) + items.values.map(\.names.database)
        let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let statement = try PreparedStatement.cached(
            connection,
            "INSERT INTO \(SQLToken.name(items.name))(\(columns.map(SQLToken.name).joined(separator: ", "))) VALUES (\(marks))"
        )
        let writers = items.values.map {
            ColumnWriter($0, set: set.names.wire, enumeration: context.model.enumeration(of: $0))
        }
        let first = items.key.count + (items.order == nil ? 0 : 1)
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

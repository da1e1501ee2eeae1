// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// How a model tells what stands in captured columns: where that changes, rows are told otherwise and no log says so.
///
/// A value that is none of its type is told as null, and as itself once the domain names its type, or its label as a member.
package struct CapturedReadings: Equatable {
    /// Stored values that are told otherwise.
    package struct Change: Equatable {
        package var table: String
        package var column: String
        /// Which they are, as texts in order; `nil` for all.
        package var values: [String]?

        package init(table: String, column: String, values: [String]?) {
            self.table = table
            self.column = column
            self.values = values
        }
    }

    /// How one column is told: by one way or, where several sets are of its table, by several.
    private var readings: [String: [String: Set<ColumnReading>]] = [:]

    package init(_ model: EntityModel) {
        for set in model.sets where !set.isReadOnly {
            for property in set.type.properties where property.items == nil {
                let reading = ColumnReading(property, in: model)
                readings[set.names.database, default: [:]][property.names.database, default: []].insert(reading)
            }
        }
    }

    /// What is told otherwise than by the readings of before, of the columns that both have: in order.
    package func changes(since before: CapturedReadings) -> [Change] {
        var changes: [Change] = []
        for (table, columns) in readings.sorted(by: { $0.key < $1.key }) {
            for (column, now) in columns.sorted(by: { $0.key < $1.key }) {
                guard let then = before.readings[table]?[column], then != now else { continue }
                var values: [String]?
                if now.count == 1, then.count == 1, let now = now.first, let then = then.first {
                    values = now.values(otherThan: then)
                }
                changes.append(Change(table: table, column: column, values: values))
            }
        }
        return changes
    }
}

// MARK: As a text

extension CapturedReadings {
    /// Reads what ``text`` wrote; `nil` for anything else.
    package init?(_ text: String) {
        guard case .object(let tables)? = JSONValue(text) else { return nil }
        for table in tables {
            guard case .object(let columns) = table.value else { return nil }
            for column in columns {
                guard case .array(let list) = column.value else { return nil }
                let found = list.compactMap(ColumnReading.init(json:))
                guard found.count == list.count else { return nil }
                readings[table.name, default: [:]][column.name] = Set(found)
            }
        }
    }

    /// The readings as JSON, for the state of a database.
    package var text: String {
        let tables = readings.sorted { $0.key < $1.key }.map { table, columns in
            let members = columns.sorted { $0.key < $1.key }.map { column, found in
                JSONValue.Member(name: column, value: .array(found.map(\.json).sorted { $0.text < $1.text }))
            }
            return JSONValue.Member(name: table, value: .object(members))
        }
        return JSONValue.object(tables).text
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// A table or view of a database on its way into a model.
package struct TableDraft {
    /// A foreign key, by the names of the database.
    package struct ForeignKey {
        package var columns: [String]
        package var targetTable: String
        /// The columns it refers to, in the order of `columns`.
        package var targetColumns: [String]
        package var onDelete: NavigationProperty.DeleteRule

        package init(
            columns: [String],
            targetTable: String,
            targetColumns: [String],
            onDelete: NavigationProperty.DeleteRule
        ) {
            self.columns = columns
            self.targetTable = targetTable
            self.targetColumns = targetColumns
            self.onDelete = onDelete
        }
    }

    package var name: String
    package var isReadOnly: Bool
    /// The columns of the key.
    package var key: [String]
    package var properties: [Property]
    /// The columns of unique indexes over plain columns without condition, the key's own included.
    package var uniqueColumns: [[String]]
    package var foreignKeys: [ForeignKey]
    package var description: String?
    /// What the CHECK constraints say.
    package var rules = CheckRules()
    /// What the columns that hold JSON hold, by the column.
    package var json: [String: JSONContent] = [:]
    /// Whether a trigger of the table changes the column with every update, by the column in lower case.
    package var triggered: Set<String> = []
    var complexProperties: [ComplexProperty] = []
    var names = Names(wire: "")
    var typeNames = Names(wire: "")

    package init(
        name: String,
        isReadOnly: Bool,
        key: [String],
        properties: [Property],
        uniqueColumns: [[String]],
        foreignKeys: [ForeignKey],
        description: String? = nil
    ) {
        self.name = name
        self.isReadOnly = isReadOnly
        self.key = key
        self.properties = properties
        self.uniqueColumns = uniqueColumns
        self.foreignKeys = foreignKeys
        self.description = description
    }

    /// Whether a column is part of the key or of a foreign key.
    package func isReference(_ column: String) -> Bool {
        let name = column.lowercased()
        return key.contains { $0.lowercased() == name }
            || foreignKeys.contains { $0.columns.contains { $0.lowercased() == name } }
    }

    func place(_ column: String) -> Int? { properties.firstIndex { $0.names.database == column } }

    /// Unique keys other than the key, as places.
    var uniqueKeys: [[Int]] {
        let key = Set(key.compactMap(place))
        var keys: [[Int]] = []
        for columns in uniqueColumns {
            let places = columns.compactMap(place)
            guard places.count == columns.count, Set(places) != key, !keys.contains(places) else { continue }
            keys.append(places)
        }
        return keys
    }
}

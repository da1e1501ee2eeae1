// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
public import TidelineModel
import TidelineStorage

/// Makes the tables of a model.
public enum SQLiteSchema {
    /// Creates a file, or opens it, and creates the tables that are missing, in one transaction.
    ///
    /// - Throws: ``StorageError``; `schemaChanged` when a table exists without one of its columns.
    public static func create(_ model: EntityModel, path: String) throws {
        try SQLiteStore.mapped {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { connection in
                try SQLiteConnections.transaction(connection) {
                    for set in model.sets where !set.isReadOnly {
                        if let shape = try TableShape(set.names.database, in: connection) {
                            try check(set, shape)
                        } else {
                            try SQLiteConnections.run(connection, createTable(set, in: model, hasConstraints: true))
                        }
                    }
                }
            }
        }
    }

    private static func check(_ set: EntitySet, _ shape: TableShape) throws {
        let columns = Set(shape.columns.map(\.name))
        for property in set.type.properties where !columns.contains(property.names.database) {
            throw StorageError(
                .schemaChanged,
                set: set.names.wire,
                properties: [property.names.wire],
                message: "The table \(set.names.database) has no column \(property.names.database)."
            )
        }
    }

    /// The CREATE TABLE statement of an entity set.
    ///
    /// `hasConstraints`: whether unique and foreign keys, delete rules included, become constraints.
    package static func createTable(_ set: EntitySet, in model: EntityModel, hasConstraints: Bool) -> String {
        let type = set.type
        let generated = type.key.count == 1 && type.hasGeneratedKey
        var lines = type.properties.enumerated().map { place, property in
            var line = "\(SQLToken.name(property.names.database)) \(columnType(property))"
            if generated, place == type.key[0] {
                line += " PRIMARY KEY AUTOINCREMENT"
            } else if !property.isNullable {
                line += " NOT NULL"
            }
            if let literal = defaultLiteral(property) { line += " DEFAULT \(literal)" }
            return line
        }
        if !generated { lines.append("PRIMARY KEY (\(columns(type.key, type)))") }
        if hasConstraints {
            for unique in type.uniqueKeys { lines.append("UNIQUE (\(columns(unique, type)))") }
            for navigation in type.navigationProperties where navigation.isDependent {
                guard let target = model[set: navigation.targetSet] else { continue }
                lines.append(
                    "FOREIGN KEY (\(columns(navigation.constraints.map(\.source), type))) "
                        + "REFERENCES \(SQLToken.name(target.names.database)) "
                        + "(\(columns(navigation.constraints.map(\.target), target.type)))\(deleteRule(navigation.onDelete))"
                )
            }
        }
        // A key that is not a number is the table itself: one tree instead of two.
        let isWithoutRowID = !generated && type.properties[type.key[0]].type.integerRange == nil
        return "CREATE TABLE \(SQLToken.name(set.names.database)) (\n    \(lines.joined(separator: ",\n    "))\n)"
            + (isWithoutRowID ? " WITHOUT ROWID" : "")
    }

    private static func columns(_ places: [Int], _ type: EntityType) -> String {
        places.map { SQLToken.name(type.properties[$0].names.database) }.joined(separator: ", ")
    }

    private static func deleteRule(_ rule: NavigationProperty.DeleteRule) -> String {
        switch rule {
        case .cascade: " ON DELETE CASCADE"
        case .setNull: " ON DELETE SET NULL"
        case .setDefault: " ON DELETE SET DEFAULT"
        case .none: ""
        }
    }

    /// The declared type of a column, which gives it the affinity that keeps its storage form as it is written.
    package static func columnType(_ property: Property) -> String {
        switch ColumnForm(property) {
        case .boolean, .integer, .decimalScaled, .dateUnixSeconds, .momentUnixSeconds, .momentUnixMilliseconds:
            "INTEGER"
        case .double, .single, .momentJulianDay: "REAL"
        case .decimalReal: "NUMERIC"
        case .binary, .guidBlob: "BLOB"
        case .string, .booleanText, .decimalText, .guidText, .dateText, .timeText, .momentText, .momentSQLText,
            .durationText, .members:
            "TEXT"
        }
    }

    /// The default of a property as a literal in its storage form, or `nil` where it has none.
    private static func defaultLiteral(_ property: Property) -> String? {
        guard let value = property.defaultValue, !value.isNull else { return nil }
        switch (property.stored(value), property.storage) {
        case (.integer(let number), _): return String(number)
        case (.real(let number), _): return "\(number)"
        case (.text(let text), _): return SQLToken.text(text)
        default: return nil
        }
    }
}

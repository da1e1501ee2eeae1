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
                            try SQLiteConnections.run(connection, createTable(set, in: model))
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

    /// Creates a file that is not there yet, with all tables of a model and an index for each foreign key.
    ///
    /// - Parameter model: as ``prepared(_:)`` makes it.
    /// - Throws: ``StorageError``: `constraint` for names that differ in letter case alone; there is no file then.
    public static func createFile(_ model: EntityModel, path: String) throws {
        try SQLiteStore.mapped {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { connection in
                try SQLiteConnections.run(connection, "PRAGMA journal_mode = WAL")
                try SQLiteConnections.transaction(connection) {
                    for set in model.sets {
                        try SQLiteConnections.run(connection, createTable(set, in: model))
                        for sql in TableConstraints(of: set, in: model).indexes() {
                            try SQLiteConnections.run(connection, sql)
                        }
                    }
                }
            }
            try queue.close()
        }
    }

    /// A model with names and storage forms of tables that are made for it, so that a scan of these gives it again.
    public static func prepared(_ model: EntityModel) -> EntityModel {
        var sets = model.sets
        for place in sets.indices {
            sets[place].names.database = sets[place].names.wire
            for index in sets[place].type.properties.indices { prepare(&sets[place].type.properties[index]) }
        }
        return model.replacing(sets: sets)
    }

    private static func prepare(_ property: inout Property) {
        property.names.database = property.names.wire
        property.storage = .native
        if property.enumeration != nil {
            property.storage = .memberName
        } else if property.type == .dateTimeOffset {
            property.storage = .sqlText
        } else if property.type == .decimal, (property.precision ?? .max) > 15 {
            // SQLite's numbers keep 15 digits.
            property.storage = .decimalText
        }
    }

    /// The CREATE TABLE statement of an entity set: keys, unique and foreign keys with their delete rules, checks.
    package static func createTable(_ set: EntitySet, in model: EntityModel) -> String {
        let type = set.type
        let generated = type.key.count == 1 && type.hasGeneratedKey
        var lines = type.properties.enumerated().map { place, property in
            var line = "\(SQLToken.name(property.names.database)) "
            if generated, place == type.key[0] {
                line += "INTEGER PRIMARY KEY AUTOINCREMENT"
            } else {
                line += SQLiteColumn(property, in: model).declaration
                if !property.isNullable { line += " NOT NULL" }
            }
            if let literal = SQLiteColumn(property, in: model).defaultLiteral { line += " DEFAULT \(literal)" }
            return line
        }
        let constraints = TableConstraints(of: set, in: model)
        if !generated { lines.append(constraints.primaryKey) }
        lines += constraints.clauses
        for property in type.properties {
            lines += SQLiteColumn(property, in: model).checks.map { "CHECK (\($0))" }
        }
        // A key that is not a number is the table itself: one tree instead of two.
        let isWithoutRowID = !generated && type.properties[type.key[0]].type.integerRange == nil
        return "CREATE TABLE \(SQLToken.name(set.names.database)) (\n    \(lines.joined(separator: ",\n    "))\n)"
            + (isWithoutRowID ? " WITHOUT ROWID" : "")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
import TidelineStorage

/// Makes the tables of a model.
public enum PostgresSchema {
    /// Creates the tables of a model in a schema, all or none, with an index for each foreign key.
    ///
    /// - Parameters:
    ///   - model: as ``prepared(_:)`` makes it.
    ///   - conninfo: a URL or `key=value` pairs, as libpq reads them.
    ///   - schema: it has to be there.
    /// - Throws: ``StorageError``: `unsupported` when one of the tables is there already; nothing is changed then.
    public static func create(_ model: EntityModel, conninfo: String, schema: String) throws {
        try PostgresConnection.mapped {
            let connection = try PostgresPublisher.connection(conninfo, schema: schema)
            try connection.transaction(.write) {
                let present = try Catalog(connection: connection, schema: schema).shapes().map(\.name)
                let taken = model.sets.map(\.names.database).filter(present.contains)
                guard taken.isEmpty else {
                    throw StorageError(
                        .unsupported,
                        message: "The schema \(schema) has a table \(taken.joined(separator: ", ")) already."
                    )
                }
                try connection.execute("SET LOCAL search_path TO \(SQLToken.name(schema))")
                for set in model.sets { try connection.execute(createTable(set, in: model)) }
                // Tables refer to one another in any order, and references to what is unique.
                for word in ["UNIQUE", "FOREIGN"] {
                    for set in model.sets {
                        for clause in TableConstraints(of: set, in: model).clauses where clause.hasPrefix(word) {
                            try connection.execute("ALTER TABLE \(SQLToken.name(set.names.database)) ADD \(clause)")
                        }
                    }
                }
                for set in model.sets {
                    for sql in TableConstraints(of: set, in: model).indexes() { try connection.execute(sql) }
                }
            }
        }
    }

    /// Takes the tables of a model away again.
    ///
    /// - Throws: ``StorageError``; nothing is changed then.
    public static func drop(_ model: EntityModel, conninfo: String, schema: String) throws {
        try PostgresConnection.mapped {
            let connection = try PostgresPublisher.connection(conninfo, schema: schema)
            try connection.transaction(.write) {
                for set in model.sets {
                    let table = "\(SQLToken.name(schema)).\(SQLToken.name(set.names.database))"
                    try connection.execute("DROP TABLE IF EXISTS \(table) CASCADE")
                }
            }
        }
    }

    /// A model with names and storage forms of tables that are made for it, so that a scan of these gives it again.
    public static func prepared(_ model: EntityModel) -> EntityModel {
        var sets = model.sets
        for place in sets.indices {
            sets[place].names.database = sets[place].names.wire
            for index in sets[place].type.properties.indices {
                let property = sets[place].type.properties[index]
                sets[place].type.properties[index].names.database = property.names.wire
                sets[place].type.properties[index].storage = property.enumeration == nil ? .native : .memberName
            }
        }
        return model.replacing(sets: sets)
    }

    /// The CREATE TABLE statement of an entity set, without its references.
    static func createTable(_ set: EntitySet, in model: EntityModel) -> String {
        let type = set.type
        let columns = type.properties.indices.map { place in
            ColumnDeclaration(type.properties[place], in: model, isIdentity: type.isCounted(place))
        }
        var lines = columns.map(\.text)
        lines.append(TableConstraints(of: set, in: model).primaryKey)
        lines += columns.flatMap(\.checks).map { "CHECK (\($0))" }
        return "CREATE TABLE \(SQLToken.name(set.names.database)) (\n    \(lines.joined(separator: ",\n    "))\n)"
    }
}

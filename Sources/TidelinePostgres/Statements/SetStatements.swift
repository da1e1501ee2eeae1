// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The SQL and the columns of one entity set, made once when its store is opened.
final class SetStatements: Sendable {
    let set: EntitySet
    let readers: [ColumnReader]
    let writers: [ColumnWriter]
    let table: String
    /// All columns as they are read.
    let columns: String
    /// What locks the rows that a query reads until the transaction ends; empty where rows cannot be locked.
    let lock: String
    private let dialect: PostgresDialect
    /// The texts by the places of the properties: clients send the same few choices again and again.
    private let inserts = BoundedCache<[Int], String>()
    private let updates = BoundedCache<[Int], String>()

    init(_ set: EntitySet, model: EntityModel, dialect: PostgresDialect, isLockable: Bool) {
        self.set = set
        self.dialect = dialect
        let known = dialect.columns[set.names.database] ?? [:]
        let wire = set.names.wire
        readers = set.type.properties.enumerated().map {
            ColumnReader($1, place: $0, set: wire, isKey: set.type.key.contains($0), model: model)
        }
        writers = set.type.properties.map { ColumnWriter($0, known[$0.names.database], set: wire, model: model) }
        table = PostgresDialect.quoted(table: set.names.database)
        let columns = set.type.properties.map { dialect.column($0, in: set, of: "t0") }
        self.columns = SQLFragment(columns, separator: ", ").rendered(dialect).text
        lock = isLockable ? " FOR NO KEY UPDATE OF t0" : ""
    }

    /// What inserts a row with values for the properties at these places, and gives its key.
    func insert(_ places: [Int]) -> String {
        inserts.value(for: places) {
            let properties = set.type.properties
            let names = places.map { SQLToken.name(properties[$0].names.database) }.joined(separator: ", ")
            let marks = places.enumerated().map { writers[$1].placeholder($0 + 1) }.joined(separator: ", ")
            let what = places.isEmpty ? "DEFAULT VALUES" : "(\(names)) VALUES (\(marks))"
            let key = set.type.key.map { dialect.column(properties[$0], in: set, of: "t0").rendered(dialect).text }
            return "INSERT INTO \(table) AS t0 \(what) RETURNING \(key.joined(separator: ", "))"
        }
    }

    /// What sets the properties at these places, up to its condition.
    func update(_ places: [Int]) -> String {
        updates.value(for: places) {
            let assignments = places.enumerated().map { number, place in
                let name = SQLToken.name(set.type.properties[place].names.database)
                return "\(name) = \(writers[place].placeholder(number + 1))"
            }
            return "UPDATE \(table) AS t0 SET \(assignments.joined(separator: ", "))"
        }
    }

    /// What compares the key, from a parameter on, and the values of the parameters.
    ///
    /// `nil` when no entity can have that key, because a column cannot hold a value of it.
    func condition(_ key: Key, from first: Int = 1) throws -> (text: String, values: [SQLValue])? {
        guard key.values.count == set.type.key.count else {
            throw StorageError.wrongKey(set)
        }
        var terms: [String] = []
        var values: [SQLValue] = []
        for (value, place) in zip(key.values, set.type.key) {
            let property = set.type.properties[place]
            guard let stored = dialect.key(value, of: property) else { return nil }
            let known = dialect.columns[set.names.database]?[property.names.database]
            let plain = "t0.\(SQLToken.name(property.names.database))"
            let shown = dialect.column(property, in: set, of: "t0").rendered(dialect).text
            let parameter = dialect.placeholder(first + values.count, for: stored)
            if property.storage == .decimalText {
                terms.append("CAST(\(shown) AS numeric) = \(parameter)")
                values.append(stored)
                continue
            }
            switch known?.kind {
            // The type of the column and no other, so that its index serves.
            case .padded:
                // Its own type takes blanks at the end for nothing.
                terms.append("\(plain) = $\(first + values.count)::text::bpchar AND \(shown) = \(parameter)")
            case .plain where known?.isLoose == true:
                terms.append("\(plain) = \(parameter) AND \(shown) = \(parameter)")
            case .plain, nil: terms.append("\(plain) = \(parameter)")
            default: terms.append("\(shown) = \(parameter)")
            }
            values.append(stored)
        }
        return (terms.joined(separator: " AND "), values)
    }

    /// The query of the one row that meets a condition, with all properties.
    func select(_ condition: String) -> String { "SELECT \(columns) FROM \(table) AS t0 WHERE \(condition) LIMIT 1" }

    /// The read of one whole entity by its key; `nil` when no entity can have that key.
    func wholeEntity(_ key: Key) throws -> SelectStatement? {
        guard let condition = try condition(key) else { return nil }
        return SelectStatement(wholeEntity: select(condition.text), of: set, bindings: condition.values)
    }

    /// The values and the version of an entity, from a row with all columns.
    func entity(_ row: PostgresRow, hasher: ETagHasher) throws -> StoredEntity {
        var hasher = hasher
        hasher.begin()
        var values: [Value] = []
        values.reserveCapacity(readers.count)
        for (place, reader) in readers.enumerated() {
            var output = ValueOutput(type: set.type.properties[place].type, hasher: hasher, place: place)
            try reader.give(row, place, to: &output)
            hasher = output.hasher ?? hasher
            // Canonical text that is no value of the type after all, such as a shape that is none, is told as null too.
            values.append(output.value ?? .null)
        }
        return StoredEntity(values: values, etag: hasher.finish())
    }
}

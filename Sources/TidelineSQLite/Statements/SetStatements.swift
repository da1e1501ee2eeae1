// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The SQL and the columns of one entity set, made once when its store is opened.
final class SetStatements: Sendable {
    let set: EntitySet
    let readers: [ColumnReader]
    let writers: [ColumnWriter]
    /// `"a" = ?1 AND …` for the key; text is equal by its bytes, whatever collation the column has.
    let keyCondition: String
    let selectByKey: String
    let existsByKey: String
    let deleteByKey: String
    let table: String
    /// Whether SQLite may give a key twice.
    let reusesKeys: Bool

    /// What inserts a row.
    struct Insert {
        let sql: String
        /// Gives the key, too; that takes a fifth longer.
        let returning: String
        /// The parameters that are the key, where integers stay as they are given: what else comes may be changed by the
        /// affinity of its column.
        let key: [Int]?
    }

    /// The texts by the places of the properties: clients send the same few choices again and again.
    private let inserts = BoundedCache<[Int], Insert>()
    private let updates = BoundedCache<[Int], String>()

    /// - Parameters:
    ///   - model: has the enumerations of the set's properties.
    ///   - isTracked: whether changes of the rows are told by their keys.
    init(_ set: EntitySet, of model: EntityModel, isTracked: Bool, reusesKeys: Bool = false) {
        self.set = set
        self.reusesKeys = reusesKeys && set.type.key.count == 1
        let wire = set.names.wire
        readers = set.type.properties.enumerated().map {
            ColumnReader(
                $1,
                place: $0,
                set: wire,
                isKey: set.type.key.contains($0),
                isExact: isTracked,
                enumeration: model.enumeration(of: $1)
            )
        }
        writers = set.type.properties.map { ColumnWriter($0, set: wire, enumeration: model.enumeration(of: $0)) }
        table = SQLToken.name(set.names.database)
        keyCondition = set.type.key.enumerated().map { parameter, place in
            let property = set.type.properties[place]
            let column = SQLToken.name(property.names.database)
            let equal = "\(column) = ?\(parameter + 1)"
            return property.type == .string ? "\(equal) AND \(column) = ?\(parameter + 1) COLLATE BINARY" : equal
        }.joined(separator: " AND ")
        let table = table
        let dialect = SQLiteDialect()
        let columns = set.type.properties.map { property in
            guard property.items != nil else { return SQLToken.name(property.names.database) }
            return dialect.column(property, in: set, of: table).rendered(dialect).text
        }.joined(separator: ", ")
        selectByKey = "SELECT \(columns) FROM \(table) WHERE \(keyCondition) LIMIT 1"
        existsByKey = "SELECT 1 FROM \(table) WHERE \(keyCondition) LIMIT 1"
        deleteByKey = "DELETE FROM \(table) WHERE \(keyCondition)"
    }

    /// What inserts a row with values for the properties at these places.
    func insert(_ places: [Int]) -> Insert {
        inserts.value(for: places) {
            let properties = set.type.properties
            let parts = set.type.key.map { properties[$0].type.integerRange == nil ? nil : places.firstIndex(of: $0) }
            let given = parts.contains(nil) ? nil : parts.compactMap(\.self)
            var names = places.map { SQLToken.name(properties[$0].names.database) }
            var values = places.indices.map { "?\($0 + 1)" }
            let key = set.type.key.map { SQLToken.name(properties[$0].names.database) }.joined(separator: ", ")
            if reusesKeys, given == nil {
                names.append(key)
                values.append(unusedKey(key))
            }
            let list = "(\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
            let what = names.isEmpty ? "DEFAULT VALUES" : list
            let insert = "INSERT INTO \(table) \(what)"
            return Insert(sql: insert, returning: "\(insert) RETURNING \(key)", key: given)
        }
    }

    /// The key of a new row where SQLite would choose one that a deleted row had, else `NULL`.
    private func unusedKey(_ column: String) -> String {
        """
        (SELECT highest + 1 FROM tideline_keys WHERE table_name = \(SQLToken.text(set.names.database)) \
        AND highest < \(Int64.max) AND highest >= coalesce((SELECT max(\(column)) FROM \(table)), 0))
        """
    }

    /// What sets the properties at these places; the parameters of the key come first.
    func update(_ places: [Int]) -> String {
        updates.value(for: places) {
            let first = set.type.key.count + 1
            let assignments = places.enumerated().map { number, place in
                "\(SQLToken.name(set.type.properties[place].names.database)) = ?\(first + number)"
            }
            return "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(keyCondition)"
        }
    }

    /// Binds a key to the first parameters.
    ///
    /// - Returns: false when no entity can have that key, because a column cannot hold a value of it.
    func bind(_ key: Key, to statement: PreparedStatement) throws -> Bool {
        guard key.values.count == set.type.key.count else {
            throw StorageError.wrongKey(set)
        }
        for (parameter, place) in set.type.key.enumerated() {
            do {
                try writers[place].bind(key.values[parameter], statement, Int32(parameter + 1))
            } catch let error as StorageError where error.code == .invalidValue {
                return false
            }
        }
        return true
    }

    /// The values and the version of the row that a statement stands at.
    ///
    /// - Parameter reuses: those of the transaction.
    func entity(at statement: PreparedStatement, hasher: ETagHasher, reuses: KeyReuses) throws -> StoredEntity {
        var hash = HashOutput(hasher: hasher)
        hash.hasher.begin()
        var values: [Value] = []
        values.reserveCapacity(readers.count)
        for (place, reader) in readers.enumerated() {
            hash.place = place
            try reader.give(statement, Int32(place), to: &hash)
            var output = ValueOutput(type: set.type.properties[place].type)
            try reader.give(statement, Int32(place), to: &output)
            // Canonical text that is no value of the type after all, such as a shape that is none, is told as null too.
            values.append(output.value ?? .null)
        }
        var etag = hash.hasher.finish()
        if let reuse = try reuses.keys(of: self), let place = set.type.key.first {
            etag = try reuse.etag(etag, of: statement.integer(Int32(place)))
        }
        return StoredEntity(values: values, etag: etag)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// A writer over tables: what follows from the model is written here once, and how a row is written by each database.
///
///     insert(values)  →  savepoint { insertRow(columns); insertItems(rows) for each collection with a table of its own }
package protocol TableWriter: StoreWriter {
    var model: EntityModel { get }

    /// Whether an entity exists.
    func exists(_ key: Key, in set: EntitySet) throws -> Bool

    /// - Throws: ``StorageError`` when the transaction has ended, so that nothing more can be written in it.
    func requireTransaction() throws

    /// Inserts the row of an entity.
    ///
    /// - Parameter columns: what to write, by the places of the properties; the database fills the rest.
    /// - Returns: the key, with what the database generated.
    func insertRow(_ columns: [(place: Int, value: Value)], into set: EntitySet) throws -> Key

    /// Changes columns of the row of an entity.
    ///
    /// - Parameter columns: at least one.
    /// - Returns: false when there is no such row.
    func updateRow(_ key: Key, _ columns: [(place: Int, value: Value)], in set: EntitySet) throws -> Bool

    /// Deletes the row of an entity.
    ///
    /// - Returns: false when there was no such row.
    func deleteRow(_ key: Key, in set: EntitySet) throws -> Bool

    /// Inserts rows into a table of items.
    ///
    /// - Parameter rows: the values of each, in the order of ``ItemTable/values``.
    /// - Throws: ``StorageError`` for what the database refuses.
    func insertItems(_ rows: [[Value]], into items: ItemTable, of key: Key, in set: EntitySet) throws

    /// Deletes the rows of an entity from a table of items.
    ///
    /// - Throws: ``StorageError`` for what the database refuses.
    func deleteItems(_ items: ItemTable, of key: Key, in set: EntitySet) throws
}

extension TableWriter {
    package func insert(_ values: [Int: Value], into set: EntitySet) throws -> Key {
        try requireWritable(set)
        let properties = set.type.properties
        var columns: [(place: Int, value: Value)] = []
        columns.reserveCapacity(properties.count)
        for place in properties.indices where properties[place].items == nil && set.type.takesValue(place) {
            if let value = values[place] ?? properties[place].defaultValue { columns.append((place, value)) }
        }
        guard set.type.hasItems else { return try insertRow(columns, into: set) }
        return try savepoint {
            let key = try insertRow(columns, into: set)
            try putItems(values, key, in: set, isNew: true)
            return key
        }
    }

    package func update(_ key: Key, _ values: [Int: Value], in set: EntitySet) throws -> Bool {
        try requireWritable(set)
        let properties = set.type.properties
        let columns = values.filter { properties[$0.key].generation != .always && properties[$0.key].items == nil }
            .map { (place: $0.key, value: $0.value) }.sorted { $0.place < $1.place }
        guard set.type.hasItems else { return try update(key, columns, in: set) }
        return try savepoint {
            guard try update(key, columns, in: set) else { return false }
            try putItems(values, key, in: set, isNew: false)
            return true
        }
    }

    private func update(_ key: Key, _ columns: [(place: Int, value: Value)], in set: EntitySet) throws -> Bool {
        columns.isEmpty ? try exists(key, in: set) : try updateRow(key, columns, in: set)
    }

    package func delete(_ key: Key, in set: EntitySet) throws -> Bool {
        try requireWritable(set)
        guard set.type.hasItems else { return try deleteRow(key, in: set) }
        return try savepoint {
            // They are the row's, whatever the foreign key says of deleting it.
            for property in set.type.properties {
                guard let items = property.items else { continue }
                try named(property, set) { try deleteItems(items, of: key, in: set) }
            }
            return try deleteRow(key, in: set)
        }
    }

    /// A view may take changes, and do nothing or log none.
    private func requireWritable(_ set: EntitySet) throws {
        try requireTransaction()
        guard !set.isReadOnly else {
            throw StorageError(.unsupported, set: set.names.wire, message: "\(set.names.wire) can only be read.")
        }
    }

    /// Makes the items of collections what an entity's values say.
    private func putItems(_ values: [Int: Value], _ key: Key, in set: EntitySet, isNew: Bool) throws {
        for (place, property) in set.type.properties.enumerated() {
            guard let items = property.items, let value = values[place] else { continue }
            let rows = try ItemRows.rows(value, of: property, set: set.names.wire, model: model)
            try named(property, set) {
                if !isNew { try deleteItems(items, of: key, in: set) }
                if !rows.isEmpty { try insertItems(rows, into: items, of: key, in: set) }
            }
        }
    }

    private func named(_ property: Property, _ set: EntitySet, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as StorageError {
            throw ItemRows.renamed(error, property, set: set.names.wire)
        }
    }
}

extension ItemTable {
    /// The columns of a row that is inserted: whose it is, its number where they are numbered, its values.
    package var columns: [String] { key + (order.map { [$0] } ?? []) + values.map(\.names.database) }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The sets and properties of a file by their names, each with where its values are from, while steps change them.
struct StoreShape {
    struct Column {
        var name: String
        var source: ValueSource
    }

    struct Table {
        var name: String
        /// The place of the set in the file's model.
        let origin: Int
        /// False for what was split off.
        let isPrimary: Bool
        var columns: [Column]
    }

    var tables: [Table]

    init(_ layout: StoreLayout) {
        tables = layout.sets.map { set in
            Table(
                name: set.name,
                origin: set.index,
                isPrimary: true,
                columns: set.columns.map { Column(name: $0.property.names.wire, source: ValueSource(place: $0.place)) }
            )
        }
    }

    // MARK: Steps

    mutating func apply(_ step: StoreMigration.Step, key: (Int) -> [Int]) throws {
        switch step {
        case .renameSet(let name, let new):
            let table = try table(name)
            try checkFree(new)
            tables[table].name = new
        case .dropSet(let name): tables.remove(at: try table(name))
        case .renameProperty(let name, let set, let new):
            let (table, column) = try column(name, of: set)
            try checkFree(new, in: table)
            tables[table].columns[column].name = new
        case .dropProperty(let name, let set):
            let (table, column) = try column(name, of: set)
            tables[table].columns.remove(at: column)
        case .fill(let name, let set, let value):
            let table = try table(set)
            if let column = tables[table].columns.firstIndex(where: { $0.name == name }) {
                tables[table].columns[column].source.fallback = value
            } else {
                tables[table].columns.append(Column(name: name, source: ValueSource(place: nil, fallback: value)))
            }
        case .retype(let name, let set, let convert):
            let (table, column) = try column(name, of: set)
            tables[table].columns[column].source.isRetyped = true
            guard let convert else { return }
            tables[table].columns[column].source.conversions.append { $0.isNull ? .null : try convert($0) }
        case .splitProperty(let name, let set, let parts, let split):
            try self.split(name, of: set, into: parts, split)
        case .splitSet(let name, let moving, let new): try self.split(name, moving, to: new, key: key)
        }
    }

    private mutating func split(
        _ name: String,
        of set: String,
        into parts: [String],
        _ split: @escaping @Sendable (Value) throws -> [Value]
    ) throws {
        let (table, column) = try column(name, of: set)
        let source = tables[table].columns.remove(at: column).source
        for (place, part) in parts.enumerated() {
            try checkFree(part, in: table)
            var source = source
            source.isRetyped = true
            source.conversions.append { value in
                let values = try split(value)
                guard values.count == parts.count else {
                    throw StoreShape.unfit("Splitting '\(name)' gave \(values.count) values for \(parts.count).")
                }
                return values[place]
            }
            tables[table].columns.append(Column(name: part, source: source))
        }
    }

    private mutating func split(_ name: String, _ moving: [String], to new: String, key: (Int) -> [Int]) throws {
        let table = try table(name)
        try checkFree(new)
        let places = key(tables[table].origin)
        var columns = tables[table].columns.filter { $0.source.place.map(places.contains) ?? false }
        for property in moving {
            let (_, column) = try column(property, of: name)
            guard !columns.contains(where: { $0.name == property }) else {
                throw StoreShape.unfit("'\(property)' is part of the key of '\(name)' and stays there.")
            }
            columns.append(tables[table].columns.remove(at: column))
        }
        tables.append(Table(name: new, origin: tables[table].origin, isPrimary: false, columns: columns))
    }

    // MARK: Names

    private func table(_ name: String) throws -> Int {
        guard let table = tables.firstIndex(where: { $0.name == name }) else {
            throw StoreShape.unfit("A step names the set '\(name)', which the file does not have.")
        }
        return table
    }

    private func column(_ name: String, of set: String) throws -> (table: Int, column: Int) {
        let table = try table(set)
        guard let column = tables[table].columns.firstIndex(where: { $0.name == name }) else {
            throw StoreShape.unfit("A step names '\(set).\(name)', which the file does not have.")
        }
        return (table, column)
    }

    private func checkFree(_ name: String, in table: Int? = nil) throws {
        let isTaken =
            table.map { tables[$0].columns.contains { $0.name == name } } ?? tables.contains { $0.name == name }
        if isTaken { throw StoreShape.unfit("A step makes '\(name)', which the file has already.") }
    }

    static func unfit(_ message: String) -> LocalStoreError { LocalStoreError(.migrationNeeded, message: message) }
}

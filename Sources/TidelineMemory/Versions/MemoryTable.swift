// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The entities of one set in one version, found by their keys and by the values of indexed properties.
struct MemoryTable: Sendable {
    private var rows = Buckets<Key, MemoryRow>()
    /// The keys by the values of a list of properties; rows with a null among them are left out.
    private var indexes: [[Int]: Buckets<[Value], Set<Key>>]

    init(indexes: Set<[Int]>) {
        self.indexes = Dictionary(uniqueKeysWithValues: indexes.map { ($0, Buckets()) })
    }

    subscript(key: Key) -> MemoryRow? { rows[key] }

    /// The values of all rows, in no order.
    var all: some Sequence<[Value]> { rows.elements.lazy.map(\.value.values) }

    /// Puts a row under its key, or takes it away.
    mutating func set(_ row: MemoryRow?, key: Key) {
        let old = rows[key]
        rows[key] = row
        for columns in Array(indexes.keys) {
            if let values = old.flatMap({ Self.values($0.values, columns) }) {
                indexes[columns]?[values]?.remove(key)
                if indexes[columns]?[values]?.isEmpty == true { indexes[columns]?[values] = nil }
            }
            if let values = row.flatMap({ Self.values($0.values, columns) }) {
                indexes[columns]?[values, default: []].insert(key)
            }
        }
    }

    /// The keys of the rows that have these values, in no order.
    func keys(_ columns: [Int], _ values: [Value]) -> Set<Key> {
        if let index = indexes[columns] { return index[values] ?? [] }
        return Set(rows.elements.lazy.filter { Self.values($0.value.values, columns) == values }.map(\.key))
    }

    /// The values of some properties, or `nil` when one of them is null.
    static func values(_ row: [Value], _ columns: [Int]) -> [Value]? {
        let values = columns.map { row[$0] }
        return values.contains(.null) ? nil : values
    }
}

extension Buckets {
    subscript(key: Key, default element: @autoclosure () -> Element) -> Element {
        get { self[key] ?? element() }
        _modify {
            var value = self[key] ?? element()
            defer { self[key] = value }
            yield &value
        }
    }
}

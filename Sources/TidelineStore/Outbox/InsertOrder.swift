// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Puts the inserts of a transaction before what refers to them; all else keeps its turn.
///
/// A row that is gone on the server is inserted again in the place of its first change. Other changes may have made
/// their rows refer to it before, and its row may refer to what was inserted later.
struct InsertOrder {
    /// A value that a foreign key of a set refers to, in the order of the parent's places.
    private struct Target: Hashable {
        var set: Int
        var places: [Int]
        var values: [Value]
    }

    private let layout: StoreLayout
    private let changes: [OutboxChange]
    private var inserts: [Target: Int] = [:]
    /// The changes of each row, in their order.
    private var rows: [RowIdentity: [Int]] = [:]
    private var isPlaced: [Bool]
    private var order: [Int] = []

    /// The changes of one transaction in an order in which each may be done.
    static func sorted(_ changes: [OutboxChange], _ layout: StoreLayout) -> [OutboxChange] {
        var order = InsertOrder(changes, layout)
        for place in changes.indices { order.place(place) }
        var sorted = order.order.map { changes[$0] }
        for turn in sorted.indices { sorted[turn].turn = turn }
        return sorted
    }

    private init(_ changes: [OutboxChange], _ layout: StoreLayout) {
        self.layout = layout
        self.changes = changes
        isPlaced = Array(repeating: false, count: changes.count)
        for (place, change) in changes.enumerated() {
            rows[change.identity, default: []].append(place)
            guard change.operation == .insert else { continue }
            for reference in layout.sets[change.set].incoming {
                let values = reference.parentPlaces.map { change.row[$0] }
                inserts[Target(set: change.set, places: reference.parentPlaces, values: values)] = place
            }
        }
    }

    /// Places a change behind what it builds on; a ring of rows that refer to each other is left as it is.
    private mutating func place(_ place: Int) {
        guard !isPlaced[place] else { return }
        isPlaced[place] = true
        let change = changes[place]
        for earlier in rows[change.identity] ?? [] where earlier < place { self.place(earlier) }
        for reference in layout.sets[change.set].outgoing {
            let values = reference.childPlaces.compactMap { change.after($0) }
            guard values.count == reference.childPlaces.count else { continue }
            let target = Target(set: reference.parent, places: reference.parentPlaces, values: values)
            if let insert = inserts[target] { self.place(insert) }
        }
        order.append(place)
    }
}

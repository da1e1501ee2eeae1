// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// One change as the outbox keeps it, by places.
struct OutboxChange: Hashable {
    /// The place of the set in the model.
    var set: Int
    var operation: Change.Operation
    /// Its turn among all changes of the transaction, over all sets.
    var turn: Int
    var key: [Value]
    /// The version that the change was made on.
    var etag: String?
    /// Insert: the values given.
    ///
    /// Delete: the values before. Update: empty.
    var row: [Value]
    /// Update: what changed, in the order of the properties.
    var assignments: [Change.Assignment]

    /// The change as other parts see it.
    func change(_ layout: StoreLayout) -> Change {
        let all: [Change.Assignment] =
            switch operation {
            case .update: assignments
            case .insert: row.enumerated().map { Change.Assignment(property: $0, before: .null, after: $1) }
            case .delete: row.enumerated().map { Change.Assignment(property: $0, before: $1, after: .null) }
            }
        return Change(set: layout.sets[set].name, key: Key(key), operation: operation, assignments: all)
    }

    /// The value that a property had before the change, or `nil` when the change does not tell.
    func before(_ place: Int) -> Value? {
        switch operation {
        case .insert: nil
        case .update: assignments.first { $0.property == place }?.before
        case .delete: row[place]
        }
    }

    /// Gives a property another value before the change, where the change tells of it.
    mutating func setBefore(_ value: Value, at place: Int) {
        switch operation {
        case .insert: break
        case .update:
            for index in assignments.indices where assignments[index].property == place {
                assignments[index].before = value
            }
        case .delete: row[place] = value
        }
    }

    /// The value that the change leaves a property with, or `nil` when it does not touch it.
    func after(_ place: Int) -> Value? {
        switch operation {
        case .insert: row[place]
        case .update: assignments.first { $0.property == place }?.after
        case .delete: nil
        }
    }
}

/// A row, wherever it lies: the set by its place, and the key.
struct RowIdentity: Hashable {
    var set: Int
    var key: [Value]
}

extension OutboxChange {
    var identity: RowIdentity { RowIdentity(set: set, key: key) }
}

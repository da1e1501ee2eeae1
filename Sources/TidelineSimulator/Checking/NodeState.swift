// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineStore

/// The rows of a node at one moment, by set and key.
struct NodeState: Hashable, Sendable {
    /// For each set of the service's model, in its order, the values of the rows in the order of the properties.
    var sets: [[Key: [Value]]]

    init(sets: [[Key: [Value]]]) { self.sets = sets }

    /// Reads all sets by a function that gives the rows of a plan.
    ///
    /// - Parameters:
    ///   - model: that of the service, whose order counts.
    ///   - own: that of the node.
    private init(
        _ model: EntityModel,
        from own: EntityModel,
        _ rows: (ReadPlan, ValueCollector) throws -> Void
    ) throws {
        sets = try model.sets.map { set in
            guard let here = own[set: set.names.wire] else { return [:] }
            let columns = set.type.properties.compactMap { here.type.propertyIndex(wire: $0.names.wire) }
            let plan = ReadPlan(model: own, set: here, columns: columns, includesETag: false)
            let collector = ValueCollector(set.type.properties.map(\.type))
            try rows(plan, collector)
            let key = set.type.key
            return Dictionary(
                try collector.rows().map { row in (Key(key.map { row[$0] }), row) },
                uniquingKeysWith: { first, _ in first }
            )
        }
    }

    /// The rows of a store, all of one snapshot.
    init(_ store: any Store) throws {
        self = try store.read { reader in
            try NodeState(store.model, from: store.model) { _ = try reader.read($0, into: $1) }
        }
    }

    /// The rows of a device, all of one snapshot.
    init(_ store: LocalStore, model: EntityModel) throws {
        self = try store.read { reader in
            try NodeState(model, from: reader.model) { _ = try reader.fetch($0, into: $1) }
        }
    }
}

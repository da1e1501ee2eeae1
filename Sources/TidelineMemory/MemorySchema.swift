// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The model and its rules, looked up once.
final class MemorySchema: Sendable {
    /// A foreign key.
    struct Reference: Sendable {
        /// The places of the two sets in the model.
        var source: Int
        var target: Int
        /// The properties that hold it, and those that it names.
        var columns: [Int]
        var targetColumns: [Int]
        var onDelete: NavigationProperty.DeleteRule
        var isDeferred: Bool
    }

    let model: EntityModel
    let rules: MemoryRules
    /// The foreign keys by the set that holds them.
    let references: [[Reference]]
    /// The foreign keys by the set that they name.
    let dependents: [[Reference]]
    /// For each set the lists of properties by whose values its rows are found.
    let indexes: [Set<[Int]>]

    init(model: EntityModel, rules: MemoryRules) {
        self.model = model
        self.rules = rules
        var references = [[Reference]](repeating: [], count: model.sets.count)
        var dependents = references
        var indexes = model.sets.map { Set($0.type.uniqueKeys) }
        for (place, set) in model.sets.enumerated() {
            for navigation in set.type.navigationProperties {
                // Many to many: the references of the link rows do it.
                guard navigation.link == nil, let target = model.setIndex(wire: navigation.targetSet) else { continue }
                let columns = navigation.constraints.map(\.source)
                let targetColumns = navigation.constraints.map(\.target)
                indexes[target].insert(targetColumns)
                guard navigation.isDependent, !columns.isEmpty else { continue }
                indexes[place].insert(columns)
                let reference = Reference(
                    source: place,
                    target: target,
                    columns: columns,
                    targetColumns: targetColumns,
                    onDelete: navigation.onDelete,
                    isDeferred: rules.deferred[set.names.wire]?.contains(navigation.names.wire) == true
                )
                references[place].append(reference)
                dependents[target].append(reference)
            }
        }
        self.references = references
        self.dependents = dependents
        self.indexes = indexes
    }

    /// The place of a set of the model.
    ///
    /// - Throws: ``StorageError/Code/schemaChanged`` for a set that the model does not have.
    func place(of set: EntitySet) throws -> Int {
        guard let place = model.setIndex(wire: set.names.wire) else {
            throw StorageError(
                .schemaChanged,
                set: set.names.wire,
                message: "The store has no entity set '\(set.names.wire)'."
            )
        }
        return place
    }

    /// The wire names of properties.
    func names(_ places: [Int], of set: Int) -> [String] {
        places.map { model.sets[set].type.properties[$0].names.wire }
    }
}

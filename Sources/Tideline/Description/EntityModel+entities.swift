// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension EntityModel {
    /// The model of some entities: for a store that is made on the device.
    ///
    ///     let store = try LocalStore.create(path: path, model: EntityModel(Order.self, Client.self))
    ///
    /// - Parameters:
    ///   - entities: the entities, each once, with all that they refer to.
    ///   - namespace: the namespace of the model's schema.
    public init(_ entities: any Queryable.Type..., namespace: String = "App") {
        let sets = entities.map { $0.entityDescription.entitySet }
        let names = Set(sets.map(\.names.wire))
        precondition(names.count == sets.count, "Each entity set stands once in a model.")
        for set in sets {
            for navigation in set.type.navigationProperties {
                precondition(
                    names.contains(navigation.targetSet),
                    "\(set.names.wire) refers to \(navigation.targetSet), which is not in the model."
                )
            }
        }
        self.init(namespace: namespace, sets: sets)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension EntityModel {
    /// The model of some entities: for a store that is made on the device.
    ///
    ///     let store = try LocalStore.create(path: path, model: EntityModel(Order.self, Client.self))
    ///
    /// Entities that do not go together are a mistake of the source, which stops the program with its reason;
    /// ``EntityRegistry/model(namespace:)`` throws it.
    /// - Parameters:
    ///   - entities: the entities, each once, with all that they refer to.
    ///   - namespace: the namespace of the model's schema.
    public init(_ entities: any Queryable.Type..., namespace: String = "App") {
        do throws(ModelClash) {
            self = try EntityRegistry(entities).model(namespace: namespace)
        } catch {
            preconditionFailure(error.message)
        }
    }
}

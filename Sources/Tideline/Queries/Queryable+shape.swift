// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

extension Queryable {
    /// Whether the struct has exactly the properties of a type of the store, in its order, and computes no others.
    static func hasShape(of type: EntityType) -> Bool {
        let properties = entityDescription.properties
        return properties.count == type.properties.count
            && zip(properties, type.properties).allSatisfy { own, stored in
                own.property.names.wire == stored.names.wire
                    && (own.property.generation != .always || stored.generation == .always)
            }
    }

    /// The values by the wire names of their properties, without what the server makes.
    ///
    /// - Parameters:
    ///   - set: the set of the store's model.
    ///   - isNew: whether the key is among them.
    func values(for set: EntitySet, isNew: Bool) throws -> [String: Value] {
        let places = try Self.columns(in: set)
        var values: [String: Value] = [:]
        for (turn, (place, value)) in zip(places, edmValues).enumerated() {
            // What is computed in the struct's own eyes is never written.
            guard Self.entityDescription.properties[turn].property.generation != .always,
                set.type.brings(value, at: place), isNew || !set.type.key.contains(place)
            else { continue }
            values[set.type.properties[place].names.wire] = value
        }
        return values
    }

    /// The query for the entity of a key.
    static func query(key: Key, over model: EntityModel) throws -> Query<Self> {
        let set = try entitySet(in: model)
        guard key.values.count == set.type.key.count else {
            throw LocalStoreError(
                .invalidKey,
                set: set.names.wire,
                message: "The key of \(set.names.wire) has \(set.type.key.count) values, not \(key.values.count)."
            )
        }
        let conditions = zip(set.type.key, key.values).map { place, value in
            Expression.binary(.equal, .path([set.type.properties[place].names.wire]), .literal(value))
        }
        return Query(filter: conditions.dropFirst().reduce(conditions[0]) { .binary(.and, $0, $1) })
    }
}

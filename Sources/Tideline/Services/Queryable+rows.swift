// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

extension Queryable {
    /// Makes the entity from the values of its properties, in the order of its description.
    ///
    /// - Throws: ``LocalStoreError/Code/corrupt`` for a value of another type.
    init(edmValues: [Value]) throws {
        let decoder = RowDecoder(Self.entityDescription.properties.map(\.property))
        self = try decoder.decode(edmValues) { try Self(row: &$0) }
    }

    /// The values that a new entity gives, by their places in the type of a set: not what is made elsewhere.
    func values(forNewIn set: EntitySet, at places: [Int?]) -> [Int: Value] {
        var values: [Int: Value] = [:]
        for (turn, (place, value)) in zip(places, edmValues).enumerated() {
            guard let place, set.type.takesValue(place), !set.type.properties[place].isReadOnly else { continue }
            let generations = [Self.entityDescription.properties[turn].property, set.type.properties[place]].map(
                \.generation
            )
            guard generations[0] != .always, !value.isNull || !generations.contains(.onInsert) else { continue }
            values[place] = value
        }
        return values
    }
}

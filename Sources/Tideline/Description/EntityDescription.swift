// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What the source of an `@Entity` says: the set, the type and the properties.
public struct EntityDescription: Sendable {
    /// The name of the entity set on the wire.
    public let set: String
    /// The name of the entity type on the wire.
    public let type: String
    /// The properties, in the order of the source.
    public let properties: [PropertyDescription]

    public init(set: String, type: String, properties: [PropertyDescription]) {
        self.set = set
        self.type = type
        self.properties = properties
    }

    /// The places of the key properties.
    public var key: [Int] { properties.indices.filter { properties[$0].isKey } }

    /// The entity set that the model of a store has for this.
    ///
    /// A reference whose target is no entity, or has a composite key, is left out: a foreign key is one property here.
    public var entitySet: EntitySet {
        EntitySet(
            names: Names(wire: set, code: set.prefix(1).lowercased() + set.dropFirst()),
            type: EntityType(
                names: Names(wire: type),
                properties: properties.map(\.property),
                key: key,
                uniqueKeys: properties.indices.filter { properties[$0].isUnique }.map { [$0] },
                navigationProperties: properties.indices.compactMap(navigation)
            )
        )
    }

    /// The navigation property of the reference at a place, or `nil`.
    private func navigation(at place: Int) -> NavigationProperty? {
        guard let reference = properties[place].reference,
            let target = (reference.target as? any Queryable.Type)?.entityDescription,
            target.key.count == 1
        else { return nil }
        return NavigationProperty(
            names: Names(wire: reference.wire, code: reference.code),
            targetSet: target.set,
            isCollection: false,
            isNullable: properties[place].property.isNullable,
            isDependent: true,
            constraints: [NavigationProperty.Constraint(source: place, target: target.key[0])],
            onDelete: reference.onDelete,
            partner: reference.inverse
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What the source of an `@Entity` says: the set, the type, the properties and relationships.
public struct EntityDescription: Sendable {
    /// The name of the entity set on the wire.
    public let set: String
    /// The name of the entity type on the wire.
    public let type: String
    /// The properties that are stored, in the order of the source.
    public let properties: [PropertyDescription]
    /// The entities that refer to this one.
    public let collections: [CollectionDescription]
    /// The properties that are filled when the entity is read, in the order of the source: a row has them after those
    /// that are stored.
    public let calculated: [CalculatedDescription]
    /// What every entity has to meet beside the rules of its properties.
    public let rules: [EntityRule]
    /// The names that the set had on the wire in older versions.
    public let formerNames: [String]
    /// What becomes of properties that a device and the server both changed, where these do not say it.
    public let conflictPolicy: ConflictPolicy?

    public init(
        set: String,
        type: String,
        properties: [PropertyDescription],
        collections: [CollectionDescription] = [],
        calculated: [CalculatedDescription] = [],
        rules: [EntityRule] = [],
        formerNames: [String] = [],
        conflictPolicy: ConflictPolicy? = nil
    ) {
        self.set = set
        self.type = type
        self.properties = properties
        self.collections = collections
        self.calculated = calculated
        self.rules = rules
        self.formerNames = formerNames
        self.conflictPolicy = conflictPolicy
    }

    /// The places of the key properties.
    public var key: [Int] { properties.indices.filter { properties[$0].isKey } }

    /// The entity set that the model of a store has for this.
    ///
    /// A relationship whose other end is no entity, has a composite key or does not lead back is left out: a foreign key
    /// is one property here.
    public var entitySet: EntitySet {
        var type = EntityType(
            names: Names(wire: type),
            properties: properties.map(\.property),
            key: key,
            uniqueKeys: properties.indices.filter { properties[$0].isUnique }.map { [$0] },
            navigationProperties: properties.indices.compactMap(navigation) + collections.compactMap(navigation)
        )
        type.calculatedProperties = calculated.map(\.property)
        type.rules = rules
        type.conflictPolicy = conflictPolicy
        var entitySet = EntitySet(
            names: Names(wire: set, code: set.prefix(1).lowercased() + set.dropFirst()),
            type: type
        )
        entitySet.formerNames = formerNames
        return entitySet
    }

    /// The navigation property of the reference at a place, or `nil`.
    private func navigation(at place: Int) -> NavigationProperty? {
        guard let reference = properties[place].reference,
            let target = (reference.target as? any Queryable.Type)?.entityDescription,
            target.key.count == 1
        else { return nil }
        let collection = target.collections.first { collection in
            collection.inverse == reference.wire
                && (collection.target as? any Queryable.Type)?.entityDescription.set == set
        }
        return NavigationProperty(
            names: Names(wire: reference.wire, code: reference.code),
            targetSet: target.set,
            isCollection: false,
            isNullable: properties[place].property.isNullable,
            isDependent: true,
            constraints: [NavigationProperty.Constraint(source: place, target: target.key[0])],
            onDelete: reference.onDelete != .none ? reference.onDelete : collection?.onDelete ?? .none,
            partner: reference.inverse ?? collection?.wire
        )
    }

    /// The navigation property of a collection, or `nil`.
    private func navigation(of collection: CollectionDescription) -> NavigationProperty? {
        guard let target = (collection.target as? any Queryable.Type)?.entityDescription, key.count == 1,
            let place = target.properties.firstIndex(where: { $0.reference?.wire == collection.inverse }),
            let reference = target.properties[place].reference,
            (reference.target as? any Queryable.Type)?.entityDescription.set == set
        else { return nil }
        return NavigationProperty(
            names: Names(wire: collection.wire, code: collection.code),
            targetSet: target.set,
            isCollection: true,
            isNullable: false,
            isDependent: false,
            constraints: [NavigationProperty.Constraint(source: key[0], target: place)],
            onDelete: collection.onDelete != .none ? collection.onDelete : reference.onDelete,
            partner: collection.inverse
        )
    }
}

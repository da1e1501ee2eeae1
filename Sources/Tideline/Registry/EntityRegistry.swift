// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The entity types of an app or of one of its modules, one for a set: found by name or by Swift type.
///
///     var registry = try EntityRegistry(Order.self, Client.self)
///     try registry.register(Part.self)
///     let store = try LocalStore.create(path: path, model: registry.model())
public struct EntityRegistry: Sendable {
    /// The types, in the order of registration.
    public private(set) var types: [any Queryable.Type] = []
    private var places: [String: Int] = [:]

    /// - Throws: ``ModelClash`` as ``register(_:)`` does.
    public init(_ types: any Queryable.Type...) throws(ModelClash) {
        try self.init(types)
    }

    /// - Throws: ``ModelClash`` as ``register(_:)`` does.
    public init(_ types: [any Queryable.Type]) throws(ModelClash) {
        for type in types { try register(type) }
    }

    /// Adds a type; one that is there already stays as it is.
    ///
    /// - Throws: ``ModelClash`` when another type has its set.
    public mutating func register(_ type: any Queryable.Type) throws(ModelClash) {
        let set = type.entityDescription.set
        if let place = places[set] {
            guard types[place] == type else {
                throw ModelClash(set: set, message: "\(types[place]) and \(type) both are the entities of \(set).")
            }
            return
        }
        places[set] = types.count
        types.append(type)
    }

    /// Adds the types of another registry.
    ///
    /// - Throws: ``ModelClash`` when two types have one set.
    public mutating func register(contentsOf other: EntityRegistry) throws(ModelClash) {
        for type in other.types { try register(type) }
    }

    /// The type of an entity set, by the name of the set on the wire, or `nil`.
    public subscript(set name: String) -> (any Queryable.Type)? {
        places[name].map { types[$0] }
    }

    /// The model of all types.
    ///
    /// Both ends of every relationship are in it: where one end alone is declared, the other is made from it.
    /// - Parameter namespace: the namespace of the model's schema.
    /// - Throws: ``ModelClash`` that names set and property when a relationship leads nowhere or its ends disagree, and
    ///   when a calculated property or a rule names something that is not there.
    public func model(namespace: String = "App") throws(ModelClash) -> EntityModel {
        var sets = types.map { $0.entityDescription.entitySet }
        for type in types { try checkRelationships(of: type.entityDescription) }
        for set in sets {
            for navigation in set.type.navigationProperties where navigation.isDependent {
                guard let target = places[navigation.targetSet] else { continue }
                try complete(navigation, of: set, in: &sets[target])
            }
        }
        let model = EntityModel(namespace: namespace, sets: sets)
        try model.checkExpressions()
        return model
    }

    /// Whether every relationship leads to a registered entity, and back.
    private func checkRelationships(of description: EntityDescription) throws(ModelClash) {
        let set = description.entitySet
        for property in description.properties {
            guard let reference = property.reference else { continue }
            try check(reference.wire, to: reference.target, of: set) {
                "\(set.names.wire).\(reference.wire) refers to \(reference.target), whose key is not one property."
            }
        }
        for collection in description.collections {
            try check(collection.wire, to: collection.target, of: set) {
                "\(collection.target) has no reference \(collection.inverse) that leads back to \(set.names.wire), as "
                    + "\(set.names.wire).\(collection.wire) says."
            }
        }
    }

    private func check(
        _ name: String,
        to target: Any.Type,
        of set: EntitySet,
        _ reason: () -> String
    ) throws(ModelClash) {
        var message: String?
        if let target = target as? any Queryable.Type {
            if places[target.entityDescription.set] == nil {
                message =
                    "\(set.names.wire).\(name) leads to \(target.entityDescription.set), which is not in the model."
            } else if set.type.navigationIndex(wire: name) == nil {
                message = reason()
            }
        } else {
            message = "\(set.names.wire).\(name) leads to \(target), which is no entity."
        }
        if let message { throw ModelClash(set: set.names.wire, property: name, message: message) }
    }

    /// Gives the target of a reference the collection that the reference says leads back.
    private func complete(
        _ reference: NavigationProperty,
        of set: EntitySet,
        in target: inout EntitySet
    ) throws(ModelClash) {
        guard let partner = reference.partner else { return }
        guard let back = target.type.navigationProperties.first(where: { $0.names.wire == partner }) else {
            guard target.type.propertyIndex(wire: partner) == nil else {
                throw ModelClash(
                    set: target.names.wire,
                    property: partner,
                    message: "\(target.names.wire).\(partner) is a property; \(set.names.wire).\(reference.names.wire) "
                        + "says that it leads back."
                )
            }
            let inverse = NavigationProperty(
                names: Names(wire: partner, code: partner.prefix(1).lowercased() + partner.dropFirst()),
                targetSet: set.names.wire,
                isCollection: true,
                isNullable: false,
                isDependent: false,
                constraints: reference.constraints.map { .init(source: $0.target, target: $0.source) },
                onDelete: reference.onDelete,
                partner: reference.names.wire
            )
            target.type.navigationProperties.append(inverse)
            return
        }
        guard back.targetSet == set.names.wire, back.partner == reference.names.wire,
            back.onDelete == reference.onDelete
        else {
            throw ModelClash(
                set: set.names.wire,
                property: reference.names.wire,
                message:
                    "\(set.names.wire).\(reference.names.wire) and \(target.names.wire).\(partner) are said to be two "
                    + "ends of one relationship, but do not agree in target, inverse or delete rule."
            )
        }
    }
}

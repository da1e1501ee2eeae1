// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// What is generated from a model: each entity, property and enumeration with a name of its own in Swift.
struct GenerationPlan {
    /// An entity set that becomes a struct.
    struct PlannedEntity {
        var name: String
        var set: EntitySet
        /// The properties, in the order of the type.
        var properties: [PlannedProperty]
    }

    /// A property that becomes a stored one.
    struct PlannedProperty {
        /// In the entity type.
        var place: Int
        var name: String
        /// The reference whose foreign key it is.
        var reference: NavigationProperty?
    }

    /// An enumeration type that becomes one in Swift.
    struct PlannedEnumeration {
        var name: String
        var type: EnumerationType
        /// The names of the members in Swift, in their order.
        var members: [String]
    }

    let model: EntityModel
    private(set) var entities: [PlannedEntity] = []
    private(set) var enumerations: [PlannedEnumeration] = []
    private(set) var leftOut: [String] = []

    init(_ model: EntityModel) {
        self.model = model
        var types = NameSpace(taken: SwiftNames.takenTypes, suffix: "Entity")
        var sets: [EntitySet] = []
        for set in model.sets where isUsable(set) { sets.append(set) }
        // A type of several sets is each of them: the first one has its name.
        var seen: Set<String> = []
        for set in sets {
            let wire = set.type.names.wire
            let wanted = seen.insert(wire).inserted ? wire : set.names.wire
            let name = types.unique(SwiftNames.identifier(wanted, capital: true))
            entities.append(PlannedEntity(name: name, set: set, properties: []))
        }
        let used = Set(sets.flatMap(\.type.properties).compactMap(\.enumeration))
        for type in model.enumerations where used.contains(type.names.wire) {
            var members = NameSpace(taken: SwiftNames.unusableMembers.union(["rawValue", "allCases"]), suffix: "_")
            enumerations.append(
                PlannedEnumeration(
                    name: types.unique(SwiftNames.identifier(type.names.wire, capital: true)),
                    type: type,
                    members: type.members.map { members.unique(SwiftNames.identifier($0.name, capital: false)) }
                )
            )
        }
        for place in entities.indices { entities[place].properties = properties(of: entities[place].set) }
    }

    /// The Swift type of a set, or `nil` where it is left out.
    func entityName(of set: String) -> String? { entities.first { $0.set.names.wire == set }?.name }

    /// Whether an entity or an enumeration has a name.
    func isTaken(_ name: String) -> Bool {
        entities.contains { $0.name == name } || enumerations.contains { $0.name == name }
    }

    /// The Swift type of an enumeration.
    func enumeration(_ wire: String) -> PlannedEnumeration? { enumerations.first { $0.type.names.wire == wire } }

    private mutating func isUsable(_ set: EntitySet) -> Bool {
        let name = set.names.wire
        if set.isContained {
            leftOut.append("\(name): it is reached through another entity alone.")
            return false
        }
        for place in set.type.key
        where !set.type.properties[place].type.isKeyType || !isStored(set.type.properties[place]) {
            leftOut.append("\(name): its key \(set.type.properties[place].names.wire) has a type that no key has here.")
            return false
        }
        return true
    }

    /// Whether a property is part of a row on a device.
    private func isStored(_ property: Property) -> Bool { property.stream == nil && property.structure != .dynamic }

    private mutating func properties(of set: EntitySet) -> [PlannedProperty] {
        var references: [Int: NavigationProperty] = [:]
        var names = NameSpace(taken: SwiftNames.takenMembers.union(SwiftNames.unusableMembers), suffix: "Value")
        for navigation in set.type.navigationProperties where entityName(of: navigation.targetSet) != nil {
            if isReference(navigation), references[navigation.constraints[0].source] == nil {
                references[navigation.constraints[0].source] = navigation
            } else if !isCollection(navigation, of: set) {
                continue
            }
            // Predicates have properties and relationships side by side.
            names.take(navigation.names.wire.prefix(1).lowercased() + navigation.names.wire.dropFirst())
        }
        var planned: [PlannedProperty] = []
        for (place, property) in set.type.properties.enumerated() {
            guard isStored(property) else {
                leftOut.append(
                    "\(set.names.wire).\(property.names.wire): a stream, or properties without a declaration."
                )
                continue
            }
            planned.append(
                PlannedProperty(
                    place: place,
                    name: names.unique(SwiftNames.identifier(property.names.wire, capital: false)),
                    reference: references[place]
                )
            )
        }
        return planned
    }

    /// Whether a navigation property is one column that names the key of another entity.
    private func isReference(_ navigation: NavigationProperty) -> Bool {
        guard navigation.isDependent, !navigation.isCollection, navigation.link == nil,
            navigation.constraints.count == 1, let target = model[set: navigation.targetSet]
        else { return false }
        return target.type.key == [navigation.constraints[0].target]
    }

    /// Whether a navigation property is the many at the other end of such a reference.
    func isCollection(_ navigation: NavigationProperty, of set: EntitySet) -> Bool {
        guard navigation.isCollection, navigation.link == nil, let partner = navigation.partner,
            let target = model[set: navigation.targetSet], entityName(of: navigation.targetSet) != nil,
            let place = target.type.navigationIndex(wire: partner)
        else { return false }
        let back = target.type.navigationProperties[place]
        guard isReference(back), back.targetSet == set.names.wire else { return false }
        // Of two references over one column the first alone is written.
        let first = target.type.navigationProperties.first { other in
            isReference(other) && entityName(of: other.targetSet) != nil
                && other.constraints[0].source == back.constraints[0].source
        }
        return first?.names.wire == partner
    }
}

/// Names of one scope, each given once.
private struct NameSpace {
    private var taken: Set<String>
    /// What is put behind a name that means something else already.
    private let suffix: String
    private let reserved: Set<String>

    init(taken: Set<String>, suffix: String) {
        self.taken = taken
        reserved = taken
        self.suffix = suffix
    }

    mutating func take(_ name: String) { taken.insert(name) }

    mutating func unique(_ wanted: String) -> String {
        var name = taken.contains(wanted) ? wanted + suffix : wanted
        var number = 2
        let base = reserved.contains(wanted) ? wanted + suffix : wanted
        if !reserved.contains(wanted), taken.contains(wanted) { name = base }
        while !taken.insert(name).inserted {
            name = "\(base)\(base.last?.isNumber == true ? "_" : "")\(number)"
            number += 1
        }
        return name
    }
}

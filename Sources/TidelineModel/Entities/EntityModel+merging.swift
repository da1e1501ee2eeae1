// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension EntityModel {
    /// One model of several, such as those of an app's modules.
    ///
    /// A set may stand in several models: its properties, navigation properties, unique keys, calculated properties and
    /// rules are joined. What two models both define must be the same in both, but for its name in code and its
    /// description; namespace, container and order are those of the first.
    /// - Throws: ``ModelClash`` that names the entity set and the property.
    public static func merging(_ models: [EntityModel]) throws(ModelClash) -> EntityModel {
        guard var merged = models.first else { return EntityModel(namespace: "App", sets: []) }
        for model in models.dropFirst() {
            var merger = ModelMerger(merged)
            try merger.add(model)
            merged = merger.model
        }
        try merged.checkTypeNames()
        return merged
    }

    /// Whether each name of a type stands for one type.
    private func checkTypeNames() throws(ModelClash) {
        var first: [String: EntitySet] = [:]
        for set in sets {
            guard let other = first.updateValue(set, forKey: set.type.names.wire), other.type != set.type else {
                continue
            }
            throw ModelClash(
                set: set.names.wire,
                message: "The entity sets \(other.names.wire) and \(set.names.wire) have different types, and both are "
                    + "named \(set.type.names.wire)."
            )
        }
    }
}

/// Joins one more model to what is there.
private struct ModelMerger {
    private(set) var model: EntityModel
    /// Where the properties of the added model's sets stand now.
    private var places: [String: [Int]] = [:]

    init(_ model: EntityModel) { self.model = model }

    mutating func add(_ other: EntityModel) throws(ModelClash) {
        var sets = model.sets
        for set in other.sets {
            try checkCase(of: set.names.wire, among: sets)
            if let place = model.setIndex(wire: set.names.wire) {
                try join(set, into: &sets[place])
            } else {
                places[set.names.wire] = Array(set.type.properties.indices)
                var added = set
                added.type.navigationProperties = []
                sets.append(added)
            }
        }
        for set in other.sets {
            guard let place = sets.firstIndex(where: { $0.names.wire == set.names.wire }) else { continue }
            for navigation in set.type.navigationProperties {
                try join(moved(navigation, of: set.names.wire), into: &sets[place])
            }
        }
        model = model.replacing(sets: sets)
        model.unnamedSets.formUnion(other.unnamedSets)
        model.enumerations = try union(model.enumerations, other.enumerations, "enumeration", \.names.wire)
        model.complexTypes = try union(model.complexTypes, other.complexTypes, "complex type", \.names.wire)
        model.singletons = try union(model.singletons, other.singletons, "singleton", \.names.wire)
        model.operations += other.operations.filter { !model.operations.contains($0) }
    }

    private func checkCase(of name: String, among sets: [EntitySet]) throws(ModelClash) {
        guard let other = sets.first(where: { $0.names.wire.lowercased() == name.lowercased() }),
            other.names.wire != name
        else { return }
        throw ModelClash(
            set: name,
            message: "The entity sets \(other.names.wire) and \(name) differ in letter case alone."
        )
    }

    private func union<Element: Equatable>(
        _ old: [Element],
        _ new: [Element],
        _ kind: String,
        _ name: (Element) -> String
    ) throws(ModelClash) -> [Element] {
        var all = old
        for element in new {
            guard let known = old.first(where: { name($0) == name(element) }) else {
                all.append(element)
                continue
            }
            guard known == element else {
                throw ModelClash(message: "The \(kind) \(name(element)) is defined in two ways.")
            }
        }
        return all
    }

    // MARK: Sets

    private mutating func join(_ set: EntitySet, into known: inout EntitySet) throws(ModelClash) {
        let name = set.names.wire
        func clash(_ what: String, _ property: String? = nil) -> ModelClash {
            ModelClash(set: name, property: property, message: "\(property.map { "\(name).\($0)" } ?? name) \(what).")
        }
        guard known.type.names.wire == set.type.names.wire else {
            throw clash("has the type \(known.type.names.wire) in one model and \(set.type.names.wire) in another")
        }
        guard known.isReadOnly == set.isReadOnly else { throw clash("can only be read in one of two models") }
        let keys = [known.type, set.type].map { type in type.key.map { type.properties[$0].names.wire } }
        guard keys[0] == keys[1] else {
            throw clash(
                "has the key \(keys[0].joined(separator: ", ")) in one model and \(keys[1].joined(separator: ", ")) in "
                    + "another"
            )
        }
        guard known.type.isFlat && set.type.isFlat || known.type.properties == set.type.properties else {
            throw clash("has complex properties or derived types, which two models cannot each define a part of")
        }
        var moved: [Int] = []
        for property in set.type.properties {
            if let place = known.type.propertyIndex(wire: property.names.wire) {
                if let facet = property.difference(from: known.type.properties[place]) {
                    throw clash("is defined in two ways: \(facet)", property.names.wire)
                }
                known.type.properties[place].formerNames.join(property.formerNames)
                moved.append(place)
            } else {
                moved.append(known.type.properties.count)
                known.type.properties.append(property)
            }
        }
        places[name] = moved
        known.type.uniqueKeys.join(set.type.uniqueKeys.map { $0.map { moved[$0] } })
        known.formerNames.join(set.formerNames)
        guard
            known.type.conflictPolicy == nil || set.type.conflictPolicy == nil
                || known.type.conflictPolicy == set.type.conflictPolicy
        else { throw clash("has two conflict policies") }
        known.type.conflictPolicy = known.type.conflictPolicy ?? set.type.conflictPolicy
        for calculated in set.type.calculatedProperties {
            let wire = calculated.names.wire
            let old = known.type.calculatedProperties.first { $0.names.wire == wire }
            guard old.map({ $0.type == calculated.type && $0.expression == calculated.expression }) ?? true,
                known.type.propertyIndex(wire: wire) == nil
            else { throw clash("is defined in two ways", wire) }
            if old == nil { known.type.calculatedProperties.append(calculated) }
        }
        for rule in set.type.rules {
            let old = known.type.rules.first { $0.name == rule.name }
            guard old.map({ $0.condition == rule.condition }) ?? true else {
                throw clash("has two rules named \(rule.name)")
            }
            if old == nil { known.type.rules.append(rule) }
        }
    }

    // MARK: Navigation properties

    /// A navigation property of the added model with the places that the properties have now.
    private func moved(_ navigation: NavigationProperty, of set: String) -> NavigationProperty {
        var navigation = navigation
        navigation.constraints = navigation.constraints.map { pair in
            NavigationProperty.Constraint(
                source: places[set]?[pair.source] ?? pair.source,
                target: places[navigation.targetSet]?[pair.target] ?? pair.target
            )
        }
        return navigation
    }

    private func join(_ navigation: NavigationProperty, into set: inout EntitySet) throws(ModelClash) {
        let wire = navigation.names.wire
        let clash = ModelClash(
            set: set.names.wire,
            property: wire,
            message: "\(set.names.wire).\(wire) is defined in two ways."
        )
        guard set.type.propertyIndex(wire: wire) == nil else { throw clash }
        guard let place = set.type.navigationIndex(wire: wire) else {
            set.type.navigationProperties.append(navigation)
            return
        }
        let known = set.type.navigationProperties[place]
        guard known.targetSet == navigation.targetSet, known.isCollection == navigation.isCollection,
            known.isDependent == navigation.isDependent, known.constraints == navigation.constraints,
            known.onDelete == navigation.onDelete || known.onDelete == .none || navigation.onDelete == .none,
            known.partner == navigation.partner || known.partner == nil || navigation.partner == nil
        else { throw clash }
        if known.onDelete == .none { set.type.navigationProperties[place].onDelete = navigation.onDelete }
        if known.partner == nil { set.type.navigationProperties[place].partner = navigation.partner }
    }
}

extension EntityType {
    /// Whether all properties stand side by side, so that more can join them.
    fileprivate var isFlat: Bool { complexProperties.isEmpty && derivedTypes.isEmpty && discriminator == nil }
}

extension Property {
    /// What makes it another property than the one that is known under its name, or `nil`.
    fileprivate func difference(from known: Property) -> String? {
        func said(_ facet: String, _ old: (some Any)?, _ new: (some Any)?) -> String {
            "\(facet) \(old.map { "\($0)" } ?? "none") and \(facet) \(new.map { "\($0)" } ?? "none")"
        }
        if type != known.type { return "\(known.type.rawValue) and \(type.rawValue)" }
        if isNullable != known.isNullable { return "required and optional" }
        if maxLength != known.maxLength { return said("MaxLength", known.maxLength, maxLength) }
        if precision != known.precision { return said("Precision", known.precision, precision) }
        if scale != known.scale { return said("Scale", known.scale, scale) }
        var same = self
        same.names = known.names
        same.description = known.description
        same.formerNames = known.formerNames
        return same == known ? nil : "with other defaults or limits"
    }
}

extension Array where Element: Equatable {
    /// Appends what is not there yet.
    fileprivate mutating func join(_ others: [Element]) {
        for other in others where !contains(other) { append(other) }
    }
}

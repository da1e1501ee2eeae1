// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension EntityModel {
    /// The part of the model that has these sets alone, as if there were no others.
    ///
    /// Navigation properties to other sets go, and those over a link table that is not shown; so do parts of what is
    /// not shown, singletons, and the types that nothing uses any more.
    func showing(_ names: Set<String>) -> EntityModel {
        var names = names
        var shown: [EntitySet] = []
        // A set of parts whose owner goes can be reached no more.
        while true {
            shown = sets.filter { names.contains($0.names.wire) }
            for place in shown.indices {
                shown[place].type.navigationProperties.removeAll { navigation in
                    !names.contains(navigation.targetSet) || navigation.link.map { !names.contains($0.set) } ?? false
                }
            }
            let reached = Set(
                shown.flatMap(\.type.navigationProperties).filter(\.isContainment).map(\.targetSet)
            )
            let lost = shown.filter { $0.isContained && !reached.contains($0.names.wire) }.map(\.names.wire)
            if lost.isEmpty { break }
            names.subtract(lost)
        }
        var model = replacing(sets: shown)
        for place in shown.indices {
            for step in shown[place].type.navigationProperties.indices {
                let navigation = shown[place].type.navigationProperties[step]
                guard let partner = navigation.partner,
                    model[set: navigation.targetSet]?.type.navigationIndex(wire: partner) == nil
                else { continue }
                shown[place].type.navigationProperties[step].partner = nil
            }
        }
        // A rule that looks at what is not shown is kept all the same, and told to nobody.
        model = model.replacing(sets: shown)
        for place in shown.indices {
            let checker = ExpressionChecker(model: model, set: shown[place])
            shown[place].type.rules.removeAll { (try? checker.condition($0.condition)) == nil }
        }
        model = model.replacing(sets: shown)
        model.singletons = singletons.filter { names.contains($0.set) }
        // An operation on what is not shown, or that gives it, can be asked of nothing.
        model.operations = operations.filter { operation in
            let sets = [operation.binding?.set, operation.returnType?.entitySet]
            return sets.allSatisfy { $0.map(names.contains) ?? true }
        }
        let used = UsedTypes(of: shown, model.operations, in: self)
        model.complexTypes = complexTypes.filter { used.complexTypes.contains($0.names.wire) }
        model.enumerations = enumerations.filter { used.enumerations.contains($0.names.wire) }
        return model
    }
}

/// The types that the properties of sets name, and those that these types name.
private struct UsedTypes {
    private(set) var complexTypes: Set<String> = []
    private(set) var enumerations: Set<String> = []

    init(of sets: [EntitySet], _ operations: [EdmOperation], in model: EntityModel) {
        for type in operations.flatMap({ $0.parameters.map(\.type) + ($0.returnType.map { [$0] } ?? []) }) {
            switch type.element {
            case .complex(let name): add(complex: name, model)
            case .enumeration(let name): enumerations.insert(name)
            case .primitive, .entity: break
            }
        }
        for set in sets {
            for complex in set.type.complexProperties { add(complex: complex.type, model) }
            for property in set.type.properties { add(property, model) }
        }
    }

    private mutating func add(complex name: String, _ model: EntityModel) {
        guard complexTypes.insert(name).inserted, let type = model[complexType: name] else { return }
        if let base = type.baseType { add(complex: base, model) }
        for property in type.properties { add(property, model) }
        // A value may be of any type that extends the one that is named.
        for other in model.complexTypes where other.baseType == name { add(complex: other.names.wire, model) }
    }

    private mutating func add(_ property: Property, _ model: EntityModel) {
        if let name = property.enumeration { enumerations.insert(name) }
        switch property.structure {
        case .complex(let name)?, .collection(of: .complex(let name), _)?: add(complex: name, model)
        case .collection(of: .enumeration(let name), _)?: enumerations.insert(name)
        case .collection(of: .primitive, _)?, .dynamic?, nil: break
        }
    }
}

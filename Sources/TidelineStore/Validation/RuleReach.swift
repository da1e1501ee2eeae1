// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What a condition over an entity looks at: properties of the entity itself, and other sets.
struct RuleReach {
    /// The places of properties of the entity.
    private(set) var places: Set<Int> = []
    /// The wire names of the sets whose entities the condition looks at.
    private(set) var sets: Set<String> = []
    private let model: EntityModel

    init(of condition: TypedExpression, over set: EntitySet, in model: EntityModel) {
        self.model = model
        visit(condition, [set])
    }

    func names(in set: SetLayout) -> Set<String> { Set(set.names(Array(places))) }

    /// - Parameter scopes: the sets that the scopes are entities of, the innermost last; `nil` for items of JSON.
    private mutating func visit(_ expression: TypedExpression, _ scopes: [EntitySet?]) {
        var inner = scopes
        switch expression.node {
        case .path(let path):
            walk(path.navigations, up: path.up, scopes)
            if path.navigations.isEmpty, path.up == scopes.count - 1 { places.insert(path.property) }
        case .lambda(_, let items, _), .count(let items, _), .fold(_, let items, _, _):
            switch items {
            case .entities(let way): inner.append(walk(way.navigations, up: way.up, scopes))
            case .set(let name, _):
                sets.insert(name)
                inner.append(model[set: name])
            case .values: inner.append(nil)
            }
        default: break
        }
        for part in expression.parts { visit(part.expression, part.isDeeper ? inner : scopes) }
    }

    /// Follows navigation properties.
    ///
    /// - Returns: the set that they lead to.
    @discardableResult
    private mutating func walk(_ navigations: [Int], up: Int, _ scopes: [EntitySet?]) -> EntitySet? {
        guard up < scopes.count, var set = scopes[scopes.count - 1 - up] else { return nil }
        for (step, place) in navigations.enumerated() {
            guard set.type.navigationProperties.indices.contains(place) else { return nil }
            let navigation = set.type.navigationProperties[place]
            if step == 0, up == scopes.count - 1 { places.formUnion(navigation.constraints.map(\.source)) }
            guard let next = model[set: navigation.targetSet] else { return nil }
            sets.insert(next.names.wire)
            if let link = navigation.link {
                sets.insert(link.set)
                let toOwner = model[set: link.set]?.type.navigationProperties.first { $0.names.wire == link.toOwner }
                if step == 0, up == scopes.count - 1 { places.formUnion(toOwner?.constraints.map(\.target) ?? []) }
            }
            set = next
        }
        return set
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The ways over which a condition looks into other entities: where a change fans out from.
///
/// `Order/OwnerId eq @me` on OrderDetails has the route [Order], where OwnerId counts. A change of that property of an
/// order changes who may see its details, though no detail changed.
struct Routes {
    /// The navigation properties of a route, and what counts at its end: the places of properties.
    private(set) var ends: [[Int]: Set<Int>] = [:]

    var isEmpty: Bool { ends.isEmpty }

    init(_ conditions: [TypedExpression?], over set: EntitySet, in model: EntityModel) {
        for case let condition? in conditions { add(condition, after: [], set, model) }
    }

    private mutating func add(_ condition: TypedExpression, after prefix: [Int], _ set: EntitySet, _ model: EntityModel)
    {
        for path in condition.paths {
            var route = prefix
            var type = set.type
            for (place, step) in path.navigations.enumerated() {
                let navigation = type.navigationProperties[step]
                if !route.isEmpty { ends[route, default: []].formUnion(navigation.constraints.map(\.source)) }
                guard let target = model[set: navigation.targetSet] else { return }
                route.append(step)
                ends[route, default: []].formUnion(navigation.constraints.map(\.target))
                if path.guards.indices.contains(place), let condition = path.guards[place] {
                    add(condition, after: route, target, model)
                }
                type = target.type
            }
            if !route.isEmpty { ends[route, default: []].insert(path.property) }
        }
    }

    /// The set that a route leads to.
    static func target(of route: [Int], from set: EntitySet, in model: EntityModel) -> EntitySet? {
        var set = set
        for step in route {
            guard let next = model[set: set.type.navigationProperties[step].targetSet] else { return nil }
            set = next
        }
        return set
    }

    /// The names of all sets at the ends of routes.
    func targets(from set: EntitySet, in model: EntityModel) -> [EntitySet] {
        var seen: Set<String> = []
        return ends.keys.compactMap { Self.target(of: $0, from: set, in: model) }.filter {
            seen.insert($0.names.wire).inserted
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
package import TidelineStorage

extension StoreLayout {
    /// The sets that a plan reaches over navigation properties; its own is among them where a way leads back to it.
    func related(_ plan: ReadPlan) -> Set<Int> {
        related(plan.set, (plan.filter.map { [$0] } ?? []) + plan.orderBy.map(\.expression) + plan.computed)
    }

    /// All sets whose rows a plan reads, those of its expansions too.
    func read(by plan: ReadPlan) -> Set<Int> {
        var found = related(plan)
        if let own = model.setIndex(wire: plan.set.names.wire) { found.insert(own) }
        for expansion in plan.expansions {
            if let link = expansion.link(of: plan.set), let between = model.setIndex(wire: link.set.names.wire) {
                found.insert(between)
            }
            found.formUnion(read(by: expansion.plan))
        }
        return found
    }

    /// The sets that expressions over the entities of a set reach over navigation properties.
    func related(_ set: EntitySet, _ expressions: [TypedExpression]) -> Set<Int> {
        guard let start = model.setIndex(wire: set.names.wire) else { return [] }
        var found: Set<Int> = []
        for expression in expressions { visit(expression, [start], &found) }
        return found
    }

    /// - Parameter scopes: the set of each scope, the innermost last; `nil` for one whose items are no entities.
    private func visit(_ expression: TypedExpression, _ scopes: [Int?], _ found: inout Set<Int>) {
        var deeper = scopes
        switch expression.node {
        case .path(let path): _ = walk(path.navigations, up: path.up, scopes, &found)
        case .lambda(_, .entities(let way), _), .count(.entities(let way), _):
            deeper.append(walk(way.navigations, up: way.up, scopes, &found))
        case .fold(_, .entities(let way), _, _): deeper.append(walk(way.navigations, up: way.up, scopes, &found))
        case .lambda(_, .set(let name, _), _), .count(.set(let name, _), _), .fold(_, .set(let name, _), _, _):
            let set = model.setIndex(wire: name)
            if let set { found.insert(set) }
            deeper.append(set)
        case .lambda(_, .values, _), .count(.values, _), .fold(_, .values, _, _): deeper.append(nil)
        default: break
        }
        for part in expression.parts { visit(part.expression, part.isDeeper ? deeper : scopes, &found) }
    }

    /// Notes the sets on a way over navigation properties.
    ///
    /// - Returns: the set at its end.
    private func walk(_ navigations: [Int], up: Int, _ scopes: [Int?], _ found: inout Set<Int>) -> Int? {
        guard scopes.indices.contains(scopes.count - 1 - up), var set = scopes[scopes.count - 1 - up] else {
            return nil
        }
        for place in navigations {
            let known = sets[set].set.type.navigationProperties
            guard known.indices.contains(place), let next = model.setIndex(wire: known[place].targetSet) else {
                return nil
            }
            if let link = known[place].link, let between = model.setIndex(wire: link.set) { found.insert(between) }
            found.insert(next)
            set = next
        }
        return set
    }
}

extension LocalStore {
    /// The names of all sets whose rows a plan reads, in the order of the model.
    package func sets(readBy plan: ReadPlan) -> [String] {
        layout.read(by: plan).sorted().map { layout.sets[$0].set.names.wire }
    }
}

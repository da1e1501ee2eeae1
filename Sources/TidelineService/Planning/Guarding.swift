// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Puts each step of an expression's paths and collections behind the policy of the set that it enters.
///
/// A row that is hidden from the user is absent: a path through it is null, and a lambda or a count passes it over,
/// however deep in other lambdas it stands. The switch names every kind of node, so that a new one cannot be forgotten.
struct Guarding {
    let model: EntityModel
    let policies: PolicySet
    let user: UserContext

    /// - Parameters:
    ///   - scopes: the set of each scope around the expression, the innermost last; `nil` for the items of JSON.
    ///   - isFenced: whether it is a part of what is kept from hidden rows, see ``Fence``.
    func guarded(
        _ expression: TypedExpression,
        _ scopes: [EntitySet?],
        isFenced: Bool = false
    ) -> TypedExpression {
        var copy = expression
        switch expression.node {
        case .literal, .me, .item: break
        case .path(var path):
            path.guards = guards(path.guards, path.navigations, from: start(path.up, scopes))
            path.isFenced = isFenced && !path.guards.isEmpty
            copy.node = .path(path)
        case .lambda(let quantifier, let items, let body):
            let (items, inner) = guarded(items, scopes)
            copy.node = .lambda(quantifier, items, body.map { guarded(body: $0, scopes, inner) })
        case .count(let items, let body):
            let (items, inner) = guarded(items, scopes)
            copy.node = .count(items, body.map { guarded(body: $0, scopes, inner) })
        case .fold(let folding, let items, let body, let value):
            let (items, inner) = guarded(items, scopes)
            let fence = inner.flatMap { condition($0.names.wire) }.map { Fence(policy: $0) }
            let made = guarded(value, scopes + [inner])
            copy.node = .fold(
                folding,
                items,
                where: body.map { guarded(body: $0, scopes, inner) },
                fence?.value(made) ?? made
            )
        case .isSame, .unary, .binary, .call, .isIn, .isInUser, .promote, .cast, .conditional, .member, .element, .list,
            .found, .invoke, .isResult:
            let isFenced = isFenced || !(expression.isConnective || expression.isHarmless)
            copy = expression.mappingParts { part, _ in guarded(part, scopes, isFenced: isFenced) }
        }
        return copy
    }

    /// The condition on the items of a lambda or of a count: what may fail or take its time sees none that is hidden.
    private func guarded(body: TypedExpression, _ scopes: [EntitySet?], _ inner: EntitySet?) -> TypedExpression {
        let body = guarded(body, scopes + [inner])
        return inner.flatMap { condition($0.names.wire) }.map { Fence(policy: $0).inside(body) } ?? body
    }

    private func guarded(
        _ items: TypedExpression.Items,
        _ scopes: [EntitySet?]
    ) -> (TypedExpression.Items, EntitySet?) {
        switch items {
        case .values(let array): return (.values(guarded(array, scopes, isFenced: true)), nil)
        case .set(let name, let before):
            return (.set(name, guard: TypedExpression.all(condition(name), before)), model[set: name])
        case .entities(var way):
            let origin = start(way.up, scopes)
            way.guards = guards(way.guards, way.navigations, from: origin)
            way.linkGuards = linkGuards(way.linkGuards, way.navigations, from: origin)
            return (.entities(way), sets(way.navigations, from: origin).last ?? nil)
        }
    }

    private func start(_ up: Int, _ scopes: [EntitySet?]) -> EntitySet? {
        up < scopes.count ? scopes[scopes.count - 1 - up] : nil
    }

    /// The set that each step enters; a step that leads nowhere ends the list.
    private func sets(_ navigations: [Int], from origin: EntitySet?) -> [EntitySet] {
        var sets: [EntitySet] = []
        var current = origin
        for step in navigations {
            guard let set = current, let next = model[set: set.type.navigationProperties[step].targetSet] else { break }
            sets.append(next)
            current = next
        }
        return sets
    }

    private func guards(
        _ before: [TypedExpression?],
        _ navigations: [Int],
        from origin: EntitySet?
    ) -> [TypedExpression?] {
        let sets = sets(navigations, from: origin)
        return joined(before, navigations.indices.map { $0 < sets.count ? condition(sets[$0].names.wire) : .falsehood })
    }

    private func linkGuards(
        _ before: [TypedExpression?],
        _ navigations: [Int],
        from origin: EntitySet?
    ) -> [TypedExpression?] {
        let origins = [origin] + sets(navigations, from: origin)
        let conditions = navigations.enumerated().map { place, step -> TypedExpression? in
            guard place < origins.count, let set = origins[place] else { return nil }
            return set.type.navigationProperties[step].link.flatMap { condition($0.set) }
        }
        return joined(before, conditions)
    }

    private func condition(_ set: String) -> TypedExpression? {
        policies.access(.read, to: set, for: user).condition
    }

    /// The guards that were there, of casts, and those of the policies.
    private func joined(_ before: [TypedExpression?], _ added: [TypedExpression?]) -> [TypedExpression?] {
        let all = added.enumerated().map { place, condition in
            TypedExpression.all(condition, place < before.count ? before[place] : nil)
        }
        return all.contains { $0 != nil } ? all : []
    }
}

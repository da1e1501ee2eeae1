// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What policies and filters are asked before they are used.
extension TypedExpression {
    /// The expressions directly inside this one; those of guards are not among them.
    public var children: [TypedExpression] { parts.map(\.expression) }

    /// The paths used that start from the entity at hand, each once, in the order of reading; those inside guards are
    /// not among them.
    public var paths: [Path] {
        var found: [Path] = []
        collectPaths(&found, depth: 0)
        return found
    }

    private func collectPaths(_ found: inout [Path], depth: Int) {
        if case .path(var path) = node, path.up == depth {
            path.up = 0
            if !found.contains(path) { found.append(path) }
        }
        for part in parts { part.expression.collectPaths(&found, depth: part.isDeeper ? depth + 1 : depth) }
    }

    /// Whether entities at the other end of collection-valued navigation properties are looked at.
    public var looksAtCollections: Bool {
        switch node {
        case .lambda(_, .entities, _), .count(.entities, _), .lambda(_, .set, _), .count(.set, _),
            .fold(_, .entities, _, _), .fold(_, .set, _, _):
            true
        default: children.contains(where: \.looksAtCollections)
        }
    }

    /// Whether a change of the rows involved, and nothing else, can change the result for one user.
    ///
    /// True for the row itself, to-one paths and `@me`; false when `now()` or a function of the model occurs, or a way to
    /// many entities.
    public var isTrackable: Bool {
        if looksAtCollections { return false }
        switch node {
        case .call(.now, _), .invoke, .isResult: return false
        default: break
        }
        return children.allSatisfy(\.isTrackable)
    }

    /// Whether the result depends on who asks.
    public var dependsOnUser: Bool {
        switch node {
        case .me, .isInUser: true
        default: children.contains(where: \.dependsOnUser)
        }
    }

    /// The parts that `and` joins at the top.
    public var conjuncts: [TypedExpression] {
        if case .binary(.and, let left, let right) = node { return left.conjuncts + right.conjuncts }
        return [self]
    }

    /// The equalities at the top between a property of the entity itself and `@me`, an attribute of it or a constant.
    ///
    /// Every row that satisfies the expression satisfies all of them, so that each bounds the rows for one user.
    public var equalities: [(property: Int, other: TypedExpression)] {
        conjuncts.compactMap { conjunct in
            guard case .binary(.equal, let left, let right) = conjunct.node else { return nil }
            if let property = left.ownProperty, right.isFixed { return (property, right) }
            if let property = right.ownProperty, left.isFixed { return (property, left) }
            return nil
        }
    }

    /// The first of ``equalities`` that has a value for a user, as a property and its value.
    public func scope(for user: UserContext) -> (property: Int, value: Value)? {
        for (property, other) in equalities {
            switch other.node {
            case .literal(let value) where value != .null: return (property, value)
            case .me(let attribute):
                let value = user.value(attribute, as: other.type)
                if value != .null { return (property, value) }
            default: continue
            }
        }
        return nil
    }

    /// The place of the property, when this is one of the entity itself.
    private var ownProperty: Int? {
        guard case .path(let path) = node, path.navigations.isEmpty, path.up == 0 else { return nil }
        return path.property
    }

    private var isFixed: Bool {
        switch node {
        case .literal, .me: true
        default: false
        }
    }
}

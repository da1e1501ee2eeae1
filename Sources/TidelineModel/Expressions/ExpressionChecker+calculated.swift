// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Calculated properties: a path to one stands for its expression over the entity that the path reached.
///
///     Order/OrderSum gt 100     with OrderSum = Details/aggregate(Total with sum)
///
/// The expression sees the entity alone: no lambda variables and nothing that `$compute` makes. Where the entity is
/// absent the value is null, whatever the expression would make of nothing.
extension ExpressionChecker {
    func calculated(
        _ place: Int,
        at cursor: Cursor,
        _ names: [String],
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        let property = cursor.set.type.calculatedProperties[place]
        let inner = try context.calculating(cursor.shared, type: cursor.type, property.names.wire)
        defer { context.calculated() }
        var checker = ExpressionChecker(model: model, set: cursor.set)
        checker.mayCall = mayCall
        let value = try declared(checker.check(property.expression, inner), property, of: cursor.set)
        let reached = value.reached(by: cursor)
        if case .path = reached.node { return cursor.guarded(reached) }
        guard !cursor.navigations.isEmpty, let key = cursor.set.type.key.first else { return cursor.guarded(reached) }
        let path = TypedExpression(
            node: .path(cursor.path(to: key)),
            type: cursor.set.type.properties[key].type,
            enumeration: cursor.set.type.properties[key].enumeration
        )
        let isThere = TypedExpression(node: .binary(.notEqual, path, .literal(.null, nil)), type: .boolean)
        var result = reached
        result.node = .conditional([.init(condition: isThere, value: reached)])
        return cursor.guarded(result)
    }

    /// A value in the type that its property says it has.
    ///
    /// Numbers are promoted as in comparisons and keep what they are among integers; anything else has to be cast in
    /// the expression itself.
    private func declared(
        _ value: TypedExpression,
        _ property: CalculatedProperty,
        of set: EntitySet
    ) throws(ExpressionError) -> TypedExpression {
        if value.isNull || value.isUntyped { return value.typed(property.type) }
        if value.structure == nil, let type = value.type {
            if type == property.type || (type.integerRange != nil && property.type.integerRange != nil) { return value }
            switch (type, property.type) {
            case (.single, .double), (.double, .single): return value
            case (_, .decimal) where type.integerRange != nil: return value.promoted(to: .decimal)
            case (_, .double) where type.isNumeric, (_, .single) where type.isNumeric:
                return value.promoted(to: .double)
            case (.date, .dateTimeOffset): return value.promoted(to: .dateTimeOffset)
            default: break
            }
        }
        let name = property.names.wire
        let found = value.structure == nil ? value.type?.rawValue ?? "null" : "a structured value"
        throw ExpressionError(
            .wrongType,
            message: "The calculated property '\(name)' of \(set.names.wire) is \(property.type.rawValue), "
                + "but its expression is \(found).",
            target: name
        )
    }
}

extension ExpressionChecker.Context {
    /// The scope of the expression of a calculated property: the entity that has it, and no other.
    ///
    /// ``calculated()`` comes out again.
    func calculating(
        _ set: SharedSet,
        type: String?,
        _ name: String
    ) throws(ExpressionError) -> ExpressionChecker.Context {
        try begin(set.set.names.wire, name)
        var context = self
        context.scopes = [Scope(set, type: type)]
        return context
    }
}

extension TypedExpression {
    /// An expression over one entity as one over the place that a path to that entity starts from.
    fileprivate func reached(by cursor: ExpressionChecker.Cursor, below depth: Int = 0) -> TypedExpression {
        guard cursor.up > 0 || !cursor.navigations.isEmpty else { return self }
        var copy = mappingParts { part, isDeeper in part.reached(by: cursor, below: isDeeper ? depth + 1 : depth) }
        switch copy.node {
        case .path(var path) where path.up == depth:
            (path.navigations, path.guards) = cursor.leading(path.navigations, path.guards)
            path.up += cursor.up
            copy.node = .path(path)
        case .lambda(let quantifier, .entities(let way), let body) where way.up == depth:
            copy.node = .lambda(quantifier, .entities(cursor.leading(way)), body)
        case .count(.entities(let way), let body) where way.up == depth:
            copy.node = .count(.entities(cursor.leading(way)), body)
        case .fold(let folding, .entities(let way), let body, let value) where way.up == depth:
            copy.node = .fold(folding, .entities(cursor.leading(way)), where: body, value)
        case .literal, .path, .me, .item, .unary, .promote, .cast, .isInUser, .member, .element, .binary, .call, .list,
            .isIn, .conditional, .lambda, .count, .found, .fold, .isSame, .invoke, .isResult:
            break
        }
        return copy
    }
}

extension ExpressionChecker.Cursor {
    /// Steps from the entity reached as steps from where its path starts, with a condition for each or none at all.
    fileprivate func leading(
        _ steps: [Int],
        _ conditions: [TypedExpression?]
    ) -> (navigations: [Int], guards: [TypedExpression?]) {
        let all = navigations + steps
        guard !conditions.isEmpty || guards.contains(where: { $0 != nil }) else { return (all, []) }
        return (all, guards + (conditions.isEmpty ? steps.map { _ in nil } : conditions))
    }

    fileprivate func leading(_ way: TypedExpression.Way) -> TypedExpression.Way {
        var result = way
        (result.navigations, result.guards) = leading(way.navigations, way.guards)
        if !way.linkGuards.isEmpty { result.linkGuards = navigations.map { _ in nil } + way.linkGuards }
        result.up += up
        return result
    }
}

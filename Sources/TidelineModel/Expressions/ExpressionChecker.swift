// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Resolves the names of an expression against an entity set and gives everything a type.
///
///     Expression + EntityModel + EntitySet ──► TypedExpression
///
/// Literals take the type of what they meet (a quoted GUID or date becomes one, a whole decimal an integer), numbers are
/// promoted integer → decimal → floating point, dates to moments at midnight UTC. `@me` takes the other side's type.
/// Source: OData URL Conventions 4.01, section 5.1.1.16, "Numeric promotion".
public struct ExpressionChecker: Sendable {
    /// The most levels of an expression: SQLite takes 1000.
    public static let maxDepth = 500

    public let model: EntityModel
    public let set: EntitySet

    /// - Parameter set: the entity set whose entities the expression is about; one of `model`.
    public init(model: EntityModel, set: EntitySet) {
        self.model = model
        self.set = set
    }

    /// Checks an expression of any type.
    ///
    /// - Throws: ``ExpressionError`` that says what is wrong where.
    public func check(_ expression: Expression) throws(ExpressionError) -> TypedExpression {
        try check(expression, depth: 0)
    }

    /// Checks a condition: a filter, a policy, a rule.
    ///
    /// - Throws: ``ExpressionError``, also for an expression that is not Boolean.
    public func condition(_ expression: Expression) throws(ExpressionError) -> TypedExpression {
        let typed = try check(expression, depth: 0)
        return try condition(typed, of: "the condition")
    }

    func check(_ expression: Expression, depth: Int) throws(ExpressionError) -> TypedExpression {
        guard depth < ExpressionChecker.maxDepth else {
            throw ExpressionError(
                .tooDeep,
                message: "The expression has more than \(ExpressionChecker.maxDepth) levels."
            )
        }
        let next = depth + 1
        switch expression {
        case .literal(let value):
            return TypedExpression(node: .literal(value), type: value.literalType)
        case .path(let names):
            return try path(names)
        case .me(let attribute):
            return TypedExpression(node: .me(attribute: attribute), type: nil)
        case .unary(.not, let inner):
            let operand = try condition(check(inner, depth: next), of: "not")
            return TypedExpression(node: .unary(.not, operand), type: .boolean)
        case .unary(.negate, let inner):
            return try negation(check(inner, depth: next))
        case .binary(let name, let left, let right):
            return try binary(name, check(left, depth: next), check(right, depth: next))
        case .call(let function, let arguments):
            var typed: [TypedExpression] = []
            for argument in arguments { typed.append(try check(argument, depth: next)) }
            return try call(function, typed)
        case .isIn(let item, let list):
            var typed: [TypedExpression] = []
            for entry in list { typed.append(try check(entry, depth: next)) }
            return try membership(check(item, depth: next), typed)
        case .isInUser(let item, let attribute):
            let item = try check(item, depth: next)
            return TypedExpression(node: .isInUser(item, attribute: attribute), type: .boolean)
        case .general, .isInCollection, .lambda, .count, .cast, .isOf, .conditional, .enumeration, .list, .object,
            .aggregate:
            throw unsupported(expression)
        }
    }

    private func unsupported(_ expression: Expression) -> ExpressionError {
        let kind = "\(expression)".prefix { $0.isLetter }
        return ExpressionError(.unsupported, message: "Expressions of this kind are not supported here: \(kind).")
    }

    // MARK: - Paths

    private func path(_ names: [String]) throws(ExpressionError) -> TypedExpression {
        var type = set.type
        var navigations: [Int] = []
        for (step, name) in names.enumerated() {
            let isLast = step == names.count - 1
            if let place = type.propertyIndex(wire: name) {
                guard isLast else {
                    throw invalidPath(names, "'\(name)' is no navigation property, so nothing can follow it")
                }
                let path = TypedExpression.Path(navigations: navigations, property: place)
                return TypedExpression(node: .path(path), type: type.properties[place].type)
            }
            guard let place = type.navigationIndex(wire: name) else {
                throw ExpressionError(
                    .unknownProperty,
                    message: "'\(type.names.wire)' has no property '\(name)'.",
                    target: names.joined(separator: "/")
                )
            }
            let navigation = type.navigationProperties[place]
            guard !navigation.isCollection else {
                throw invalidPath(names, "'\(name)' leads to a collection")
            }
            guard !isLast, let target = model[set: navigation.targetSet] else {
                throw invalidPath(names, "it ends at an entity and not at a property")
            }
            navigations.append(place)
            type = target.type
        }
        throw invalidPath(names, "it is empty")
    }

    private func invalidPath(_ names: [String], _ why: String) -> ExpressionError {
        let path = names.joined(separator: "/")
        return ExpressionError(.invalidPath, message: "The path '\(path)' cannot be used here: \(why).", target: path)
    }

    // MARK: - Operators

    func condition(_ typed: TypedExpression, of target: String) throws(ExpressionError) -> TypedExpression {
        if case .me = typed.node { return typed.typed(.boolean) }
        guard typed.type == .boolean || typed.isNull else {
            throw ExpressionError(.wrongType, message: "A condition is needed for \(target).", target: target)
        }
        return typed
    }

    private func negation(_ operand: TypedExpression) throws(ExpressionError) -> TypedExpression {
        if case .literal(.integer(let number)) = operand.node, number != .min {
            return TypedExpression(node: .literal(.integer(-number)), type: operand.type)
        }
        guard operand.isNull || operand.type?.isNumeric == true || operand.type == .duration else {
            throw ExpressionError(.wrongType, message: "Only numbers and durations can be negated.", target: "-")
        }
        let type: PrimitiveType? = operand.type?.integerRange != nil ? .int64 : operand.type
        return TypedExpression(node: .unary(.negate, operand), type: type)
    }

    private func binary(
        _ name: Expression.BinaryOperator,
        _ left: TypedExpression,
        _ right: TypedExpression
    ) throws(ExpressionError) -> TypedExpression {
        switch name {
        case .and, .or:
            let left = try condition(left, of: name.rawValue)
            let right = try condition(right, of: name.rawValue)
            return TypedExpression(node: .binary(name, left, right), type: .boolean)
        case .equal, .notEqual, .lessThan, .lessOrEqual, .greaterThan, .greaterOrEqual:
            let (left, right) = try comparable(left, right, name.rawValue)
            return TypedExpression(node: .binary(name, left, right), type: .boolean)
        case .add, .sub, .mul, .div, .divby, .mod:
            return try arithmetic(name, left, right)
        case .has:
            throw ExpressionError(.unsupported, message: "'has' is not supported here.", target: name.rawValue)
        }
    }

    private func membership(
        _ item: TypedExpression,
        _ list: [TypedExpression]
    ) throws(ExpressionError) -> TypedExpression {
        var item = item
        // The item is promoted to the widest of the list first, then each entry to the item.
        for entry in list { item = try comparable(item, entry, "in").0 }
        var entries: [TypedExpression] = []
        for entry in list {
            let pair = try comparable(item, entry, "in")
            item = pair.0
            entries.append(pair.1)
        }
        return TypedExpression(node: .isIn(item, entries), type: .boolean)
    }
}

extension TypedExpression {
    /// Whether this is the literal null.
    var isNull: Bool { node == .literal(.null) }

    func typed(_ type: PrimitiveType?) -> TypedExpression { TypedExpression(node: node, type: type) }

    /// The constant that this is, or `nil`.
    var constant: Value? {
        if case .literal(let value) = node { value } else { nil }
    }

    /// This promoted to a type: a literal at once, anything else when it is evaluated.
    func promoted(to type: PrimitiveType) -> TypedExpression {
        guard self.type != type, !isNull else { return self }
        if let constant, let value = constant.promoted(to: type) {
            return TypedExpression(node: .literal(value), type: type)
        }
        return TypedExpression(node: .promote(self), type: type)
    }
}

extension Value {
    /// The type that a literal has by itself.
    var literalType: PrimitiveType? {
        switch self {
        case .null: nil
        case .boolean: .boolean
        case .integer: .int64
        case .double: .double
        case .decimal: .decimal
        case .string: .string
        case .binary: .binary
        case .guid: .guid
        case .date: .date
        case .timeOfDay: .timeOfDay
        case .dateTimeOffset: .dateTimeOffset
        case .duration: .duration
        case .geography: nil
        }
    }
}

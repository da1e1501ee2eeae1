// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Resolves the names of an expression against an entity set and gives everything a type.
///
///     Expression + EntityModel + EntitySet ──► TypedExpression
///
/// Literals take the type of what they meet (a quoted GUID, date or enumeration member becomes one, a whole decimal an
/// integer), numbers are promoted integer → decimal → floating point, dates to moments at midnight UTC. `@me` and the
/// dynamic properties of open types take the other side's type.
/// Source: OData URL Conventions 4.01, section 5.1.1.16, "Numeric promotion".
public struct ExpressionChecker: Sendable {
    /// The most levels of an expression: SQLite takes 1000.
    public static let maxDepth = 500
    /// The most operators, functions, paths and constants of an expression.
    public static let maxNodes = 20_000

    /// The most calls of functions of the model in an expression: each is a query inside the statement.
    static let maxCalls = 20

    public let model: EntityModel
    public let set: EntitySet
    /// The derived type that the entities are cast to, by its wire name.
    public var derivedType: String?
    /// Computed properties by name or path, each over the entity: what `$compute` and `$apply` make.
    public var computed: [String: TypedExpression] = [:]
    /// Says which functions of the model may be called, by an error for the others; `nil` where none can be called.
    public var mayCall: (@Sendable (EdmOperation) throws(ExpressionError) -> Void)?
    /// Computed properties of the items that ``check(_:over:)`` is about, by name, each over the item.
    package var computedMembers: [String: TypedExpression] = [:]
    /// The navigation properties from the entity to what `$it` means; `nil` where none lead there.
    ///
    /// Inside `$expand` that is the entity that the outermost expansion belongs to.
    /// Source: OData URL Conventions 4.01, section 5.1.1.14.4.
    public var instance: [Int]? = []
    private let shared: SharedSet

    /// - Parameter set: the entity set whose entities the expression is about; one of `model`.
    public init(model: EntityModel, set: EntitySet) {
        self.model = model
        self.set = set
        shared = SharedSet(set)
    }

    /// Checks an expression of any type.
    ///
    /// - Throws: ``ExpressionError`` that says what is wrong where.
    public func check(_ expression: Expression) throws(ExpressionError) -> TypedExpression {
        try settled(check(expression, Context(shared, type: derivedType)))
    }

    /// Checks a condition: a filter, a policy, a rule.
    ///
    /// - Throws: ``ExpressionError``, also for an expression that is not Boolean.
    public func condition(_ expression: Expression) throws(ExpressionError) -> TypedExpression {
        let typed = try check(expression, Context(shared, type: derivedType))
        return try condition(typed, of: nil)
    }

    /// Checks an expression over an item of a collection in JSON, which is the innermost scope: `$this`.
    package func check(
        _ expression: Expression,
        over element: Structure.Element
    ) throws(ExpressionError) -> TypedExpression {
        let context = Context(shared, type: derivedType).entering(.item(element), variable: nil)
        return try settled(check(expression, context))
    }

    /// Checks a condition over an item of a collection in JSON.
    package func condition(
        _ expression: Expression,
        over element: Structure.Element
    ) throws(ExpressionError) -> TypedExpression {
        let context = Context(shared, type: derivedType).entering(.item(element), variable: nil)
        return try condition(check(expression, context), of: "$filter")
    }

    /// Checks an expression over members of a cross join: each of its paths begins with the name of a set.
    ///
    /// The last set is the innermost scope.
    package static func check(
        _ expression: Expression,
        across sets: [EntitySet],
        in model: EntityModel
    ) throws(ExpressionError) -> TypedExpression {
        // Bare names belong to nothing.
        let nothing = EntitySet(
            names: Names(wire: "$crossjoin"),
            type: EntityType(names: Names(wire: "$crossjoin"), properties: [], key: [])
        )
        var context = Context(SharedSet(nothing))
        for set in sets { context = context.entering(.entity(set, type: nil), variable: set.names.wire) }
        let checker = ExpressionChecker(model: model, set: nothing)
        return try checker.settled(checker.check(expression, context))
    }

    func check(_ expression: Expression, _ context: Context) throws(ExpressionError) -> TypedExpression {
        try context.enter()
        defer { context.leave() }
        switch expression {
        case .literal(let value):
            return TypedExpression(node: .literal(value), type: value.literalType)
        case .path(let names):
            return try value(of: names, orKeyIn: context)
        case .me(let attribute):
            return TypedExpression(node: .me(attribute: attribute), type: nil)
        case .unary(.not, let inner):
            let operand = try condition(check(inner, context), of: "not")
            return TypedExpression(node: .unary(.not, operand), type: .boolean)
        case .unary(.negate, let inner):
            return try negation(check(inner, context))
        case .binary(let name, let left, let right):
            if let test = try nullTest(name, left, right, context) { return test }
            if let test = try structuralTest(name, left, right, context) { return test }
            return try binary(name, check(left, context), check(right, context))
        case .call(let function, let arguments):
            return try call(function, checked(arguments, context))
        case .isIn(let item, let list):
            return try membership(check(item, context), checked(list, context))
        case .isInUser(let item, let attribute):
            var item = try check(item, context)
            if item.isDynamic { item = cast(item, dynamicTo: .string) }
            return TypedExpression(node: .isInUser(item, attribute: attribute), type: .boolean)
        case .isInCollection(let item, let collection):
            return try membership(check(item, context), in: collection, context)
        case .lambda(let quantifier, let names, let variable, let body):
            return try lambda(quantifier, collection(names, context), variable, body, context)
        case .count(let names, let filter, let search):
            return try count(collection(names, context), filter, search, context)
        case .cast(let inner, let type):
            return try cast(inner, type, context)
        case .isOf(let inner, let type):
            return try isOf(inner, type, context)
        case .conditional(let branches):
            return try conditional(branches, context)
        case .enumeration(let type, let members):
            return try enumeration(type, members)
        case .list(let items):
            return try list(checked(items, context))
        case .general(let segments):
            return try addressed(segments, context)
        case .object:
            throw ExpressionError(.unsupported, message: "JSON objects are not supported in expressions.")
        case .aggregate(let names, let items):
            guard !names.isEmpty else { throw unsupported("aggregate over the collection itself") }
            return try aggregate(collection(names, context), items, context)
        }
    }

    func checked(_ list: [Expression], _ context: Context) throws(ExpressionError) -> [TypedExpression] {
        var typed: [TypedExpression] = []
        typed.reserveCapacity(list.count)
        for entry in list { typed.append(try check(entry, context)) }
        return typed
    }

    // MARK: - Operators

    func condition(_ typed: consuming TypedExpression, of target: String?) throws(ExpressionError) -> TypedExpression {
        if typed.isUntyped { return typed.typed(.boolean) }
        guard typed.type == .boolean || typed.isNull else {
            let message = target.map { "A condition is needed for \($0)." } ?? "The expression is no condition."
            throw ExpressionError(.wrongType, message: message, target: target)
        }
        return typed
    }

    private func negation(_ operand: TypedExpression) throws(ExpressionError) -> TypedExpression {
        let operand = try settled(operand)
        if case .literal(.integer(let number)) = operand.node, number != .min {
            return TypedExpression(node: .literal(.integer(-number)), type: operand.type)
        }
        guard operand.enumeration == nil,
            operand.isNull || operand.type?.isNumeric == true || operand.type == .duration
        else {
            throw ExpressionError(.wrongType, message: "Only numbers and durations can be negated.", target: "-")
        }
        // Without it there is no type whose numbers a database could negate.
        guard !operand.isNull else { return operand }
        let type: PrimitiveType? = operand.type?.integerRange != nil ? .int64 : operand.type
        return TypedExpression(node: .unary(.negate, operand), type: type)
    }

    func binary(
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
            if let test = try dynamicEquality(name, left, right) { return test }
            let (left, right) = try comparable(left, right, name.rawValue, isEquality: name.isEquality)
            return TypedExpression(node: .binary(name, left, right), type: .boolean)
        case .add, .sub, .mul, .div, .divby, .mod:
            return try arithmetic(name, left, right)
        case .has:
            return try has(left, right)
        }
    }

    func membership(
        _ item: TypedExpression,
        _ list: [TypedExpression]
    ) throws(ExpressionError) -> TypedExpression {
        // A dynamic property is null where it is absent, and not where it is a value of another type than the list's.
        if item.isDynamic, let null = list.first(where: \.isNull) {
            let rest = list.filter { !$0.isNull }
            let isNull = try binary(.equal, item, null)
            return rest.isEmpty ? isNull : try membership(item, rest).alternative(isNull)
        }
        var item = item
        // The item is promoted to the widest of the list first, then each entry to the item.
        for entry in list { item = try comparable(item, entry, "in", isEquality: true).0 }
        var entries: [TypedExpression] = []
        for entry in list {
            let pair = try comparable(item, entry, "in", isEquality: true)
            item = pair.0
            entries.append(pair.1)
        }
        return TypedExpression(node: .isIn(item, entries), type: .boolean)
    }
}

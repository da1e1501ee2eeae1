// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Evaluates typed expressions in memory, with the meaning that compiled SQL has.
///
/// Nulls: `eq` and `ne` take null for a value; a comparison of order with null is false; `and`, `or`, `not` are
/// three-valued; `any` and `all` ask which items the condition is true for and are never null; functions, arithmetic
/// and `has` of null are null. A comparison with `@me` that has no value is null.
///
/// Arithmetic that leaves its type (overflow, not a number) is null too, and so is a division of integers or decimals by
/// a zero in the data; floating-point numbers become infinite. The standard has the request fail. An error here would
/// make the answer depend on the order in which a database happens to look at rows and conditions (`N ne 0 and 10 div N
/// gt 1`), and it would tell of rows that a policy hides; who answers requests asks for ``TypedExpression/fault`` first.
/// Where the zero is written down, ``ExpressionChecker`` refuses it. Rounding is half away from zero.
/// Source: OData URL Conventions 4.01, section 5.1.1.1 to 5.1.1.2.
public struct ExpressionEvaluator<Source: PropertySource> {
    private let source: Source
    private let user: UserContext
    private let now: DateTimeOffset

    /// - Parameter now: what `now()` means; one moment for all evaluations of a request.
    public init(source: Source, user: UserContext = .anonymous, now: DateTimeOffset = .earliest) {
        self.source = source
        self.user = user
        self.now = now
    }

    /// Whether a condition is true; null is not.
    public func isTrue(_ condition: TypedExpression) throws -> Bool {
        try value(of: condition) == .boolean(true)
    }

    /// The value of an expression.
    public func value(of expression: TypedExpression) throws -> Value {
        try value(of: expression, [])
    }

    /// The value of an expression over several scopes, the innermost last.
    package func value(of expression: TypedExpression, across scopes: [any PropertySource]) throws -> Value {
        try value(of: expression, scopes.map(Item.entity))
    }

    /// The value of an expression over one item of a collection, which is its innermost scope.
    package func value(of expression: TypedExpression, over item: JSONValue) throws -> Value {
        try value(of: expression, [.value(item)])
    }

    /// The item of a lambda or a count that a scope is.
    private enum Item {
        case entity(any PropertySource)
        case value(JSONValue)
    }

    private func value(of expression: TypedExpression, _ items: [Item]) throws -> Value {
        switch expression.node {
        case .literal(let value): return value
        case .path(let path): return try value(at: path, items)
        case .me(let attribute): return user.value(attribute, as: expression.type)
        case .promote(let inner):
            guard let type = expression.type else { return .null }
            return try value(of: inner, items).promoted(to: type) ?? .null
        case .cast(let inner):
            guard let type = expression.type else { return .null }
            return try Casting.cast(value(of: inner, items), to: type)
        case .unary(.not, let inner): return Value(try truth(inner, items).map { !$0 })
        case .unary(.negate, let inner): return try Arithmetic.negate(value(of: inner, items))
        case .binary(.and, let left, let right): return try conjunction(left, right, items)
        case .binary(.or, let left, let right): return try disjunction(left, right, items)
        case .binary(let name, let left, let right):
            return try operation(name, left, right, type: expression.type, items)
        case .call(let function, let arguments): return try call(function, arguments, items)
        case .isIn(let item, let list): return try membership(item, list, items)
        case .isInUser(let item, let attribute): return try membership(item, ofUser: attribute, items)
        case .conditional(let branches): return try choice(branches, items)
        case .lambda(.any, let collection, let body):
            return .boolean(try count(collection, body, items, wanted: true, most: 1) > 0)
        case .lambda(.all, let collection, let body):
            return .boolean(try count(collection, body, items, wanted: false, most: 1) == 0)
        case .count(let collection, let body):
            return .integer(Int64(try count(collection, body, items, wanted: true, most: .max)))
        case .item, .member, .element: return try json(expression, items).typed(expression)
        case .list(let list):
            return .string(JSONValue.array(try list.map { JSONValue(try value(of: $0, items)) }).text)
        case .fold(let folding, let collection, let body, let inner):
            return folding.value(of: try values(of: inner, collection, body, items), as: expression.type)
        case .isSame(let left, let right):
            return .boolean(try structure(left, items).isSame(as: structure(right, items)))
        case .invoke(let call), .isResult(let call, _): throw unsupported(call)
        case .found(let words, let texts): return try search(words, texts, items)
        }
    }

    private func truth(_ condition: TypedExpression, _ items: [Item]) throws -> Bool? {
        if case .boolean(let value) = try value(of: condition, items) { return value }
        return nil
    }

    private func value(at path: TypedExpression.Path, _ items: [Item]) throws -> Value {
        guard path.up < items.count else { return try source.value(at: path) }
        guard case .entity(let entity) = items[items.count - 1 - path.up] else { return .null }
        return try entity.value(at: path)
    }

    private func unsupported(_ call: TypedExpression.Invocation) -> ExpressionError {
        ExpressionError(
            .unsupported,
            message: "\(call.operation.names.wire) is SQL, which only a database evaluates.",
            target: call.operation.names.wire
        )
    }

    // MARK: - Operators and functions

    private func conjunction(_ left: TypedExpression, _ right: TypedExpression, _ items: [Item]) throws -> Value {
        let first = try truth(left, items)
        if first == false { return .boolean(false) }
        let second = try truth(right, items)
        return second == false ? .boolean(false) : Value(first == nil ? nil : second)
    }

    private func disjunction(_ left: TypedExpression, _ right: TypedExpression, _ items: [Item]) throws -> Value {
        let first = try truth(left, items)
        if first == true { return .boolean(true) }
        let second = try truth(right, items)
        return second == true ? .boolean(true) : Value(first == nil ? nil : second)
    }

    /// A comparison, `has` or arithmetic.
    private func operation(
        _ name: Expression.BinaryOperator,
        _ left: TypedExpression,
        _ right: TypedExpression,
        type: PrimitiveType?,
        _ items: [Item]
    ) throws -> Value {
        let (first, second) = (try value(of: left, items), try value(of: right, items))
        if name.isComparison {
            if left.isMissingUser(first), !right.isNull { return .null }
            if right.isMissingUser(second), !left.isNull { return .null }
            return .boolean(Comparison.holds(name, first, second))
        }
        if name == .has {
            guard case .integer(let value) = first, case .integer(let flags) = second else { return .null }
            return .boolean(value & flags == flags)
        }
        return Arithmetic.apply(name, first, second, type: type)
    }

    private func call(
        _ function: Expression.Function,
        _ arguments: [TypedExpression],
        _ items: [Item]
    ) throws -> Value {
        let values = try arguments.map { try value(of: $0, items) }
        if arguments.contains(where: { $0.type?.isGeometry == true }) {
            return Functions.call(function, values.map(\.flat), now: now)
        }
        return Functions.call(function, values, now: now)
    }

    private func choice(_ branches: [TypedExpression.Branch], _ items: [Item]) throws -> Value {
        for branch in branches where try truth(branch.condition, items) == true {
            return try value(of: branch.value, items)
        }
        return .null
    }

    private func search(_ words: [String], _ texts: [TypedExpression], _ items: [Item]) throws -> Value {
        for part in texts {
            if case .string(let text) = try value(of: part, items), SearchWords.contains(text, words) {
                return .boolean(true)
            }
        }
        return .boolean(false)
    }

    private func membership(_ item: TypedExpression, _ list: [TypedExpression], _ items: [Item]) throws -> Value {
        let first = try value(of: item, items)
        if item.isMissingUser(first) { return .null }
        var isUnknown = false
        for entry in list {
            let second = try value(of: entry, items)
            if entry.isMissingUser(second) {
                isUnknown = true
            } else if Comparison.holds(.equal, first, second) {
                return .boolean(true)
            }
        }
        return isUnknown ? .null : .boolean(false)
    }

    private func membership(_ item: TypedExpression, ofUser attribute: String, _ items: [Item]) throws -> Value {
        let first = try value(of: item, items)
        let values = user.values(attribute, as: item.type)
        return .boolean(values.contains { Comparison.holds(.equal, first, $0) })
    }

    // MARK: - Collections

    /// How many items the condition is true for, or not true for; stops at `most`.
    private func count(
        _ collection: TypedExpression.Items,
        _ body: TypedExpression?,
        _ items: [Item],
        wanted: Bool,
        most: Int
    ) throws -> Int {
        var count = 0
        for member in try members(of: collection, items) {
            let isTrue = try body.map { try truth($0, items + [member]) == true } ?? true
            if isTrue == wanted { count += 1 }
            if count == most { return count }
        }
        return count
    }

    /// The values, without nulls, that an expression has for the items for which the condition is true.
    private func values(
        of inner: TypedExpression,
        _ collection: TypedExpression.Items,
        _ body: TypedExpression?,
        _ items: [Item]
    ) throws -> [Value] {
        var values: [Value] = []
        for member in try members(of: collection, items) {
            let scopes = items + [member]
            if let body, try truth(body, scopes) != true { continue }
            let value = try value(of: inner, scopes)
            if value != .null { values.append(value) }
        }
        return values
    }

    private func members(of collection: TypedExpression.Items, _ items: [Item]) throws -> [Item] {
        switch collection {
        case .entities(let way):
            let start = way.up < items.count ? items[items.count - 1 - way.up] : .entity(source)
            guard case .entity(let entity) = start else { return [] }
            return try entity.entities(at: way).map(Item.entity)
        case .set(let name, let condition):
            let all = try source.entities(of: name).map(Item.entity)
            guard let condition else { return all }
            return try all.filter { try truth(condition, [$0]) == true }
        case .values(let array): return try json(array, items).items.map(Item.value)
        }
    }

    /// A structured value; a collection without a value is empty.
    private func structure(_ expression: TypedExpression, _ items: [Item]) throws -> JSONValue {
        let value = try json(expression, items)
        if value == .null, case .collection? = expression.structure { return .array([]) }
        return value
    }

    /// The JSON that an expression is; null for text that is none.
    private func json(_ expression: TypedExpression, _ items: [Item]) throws -> JSONValue {
        switch expression.node {
        case .item(let up):
            guard case .value(let json)? = items.dropLast(up).last else { return .null }
            return json
        case .member(let base, let names): return try json(base, items).member(names)
        case .element(let base, let place): return try json(base, items).item(at: place)
        default:
            guard case .string(let text) = try value(of: expression, items) else { return .null }
            return JSONValue(text) ?? .null
        }
    }
}

extension TypedExpression {
    /// Whether this is `@me` and has no value.
    fileprivate func isMissingUser(_ value: Value) -> Bool {
        guard value == .null, case .me = node else { return false }
        return true
    }
}

extension JSONValue {
    /// The value that an expression of JSON has: text of what is structured, else a value of its type.
    func typed(_ expression: TypedExpression) -> Value {
        guard expression.structure != nil else { return value(as: expression.type ?? .string) }
        return self == .null ? .null : .string(text)
    }
}

extension Value {
    /// A shape on a plane.
    fileprivate var flat: Value {
        guard case .geography(var shape) = self else { return self }
        shape.isFlat = true
        return .geography(shape)
    }

    fileprivate init(_ truth: Bool?) {
        self = truth.map(Value.boolean) ?? .null
    }
}

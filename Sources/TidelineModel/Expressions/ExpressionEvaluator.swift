// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Evaluates typed expressions in memory, with the meaning that compiled SQL has.
///
/// Nulls: `eq` and `ne` take null for a value; a comparison of order with null is false; `and`, `or`, `not` are
/// three-valued; functions and arithmetic of null are null. A comparison with `@me` that has no value is null.
/// Arithmetic that leaves its type (overflow, division by zero, not a number) is null too: an error would make the
/// answer depend on the order in which a database happens to evaluate. Rounding is half away from zero.
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
        switch expression.node {
        case .literal(let value): return value
        case .path(let path): return try source.value(at: path)
        case .me(let attribute): return user.value(attribute, as: expression.type)
        case .promote(let inner):
            guard let type = expression.type else { return .null }
            return try value(of: inner).promoted(to: type) ?? .null
        case .unary(.not, let inner): return Value(try truth(inner).map { !$0 })
        case .unary(.negate, let inner): return try Arithmetic.negate(value(of: inner))
        case .binary(.and, let left, let right):
            let first = try truth(left)
            if first == false { return .boolean(false) }
            let second = try truth(right)
            return second == false ? .boolean(false) : Value(first == nil ? nil : second)
        case .binary(.or, let left, let right):
            let first = try truth(left)
            if first == true { return .boolean(true) }
            let second = try truth(right)
            return second == true ? .boolean(true) : Value(first == nil ? nil : second)
        case .binary(let name, let left, let right):
            let (first, second) = (try value(of: left), try value(of: right))
            if name.isComparison {
                if left.isMissingUser(first), !right.isNull { return .null }
                if right.isMissingUser(second), !left.isNull { return .null }
                return .boolean(Comparison.holds(name, first, second))
            }
            return Arithmetic.apply(name, first, second, type: expression.type)
        case .call(let function, let arguments):
            return try Functions.call(function, arguments.map(value(of:)), now: now)
        case .isIn(let item, let list):
            let first = try value(of: item)
            if item.isMissingUser(first) { return .null }
            var isUnknown = false
            for entry in list {
                let second = try value(of: entry)
                if entry.isMissingUser(second) {
                    isUnknown = true
                } else if Comparison.holds(.equal, first, second) {
                    return .boolean(true)
                }
            }
            return isUnknown ? .null : .boolean(false)
        case .isInUser(let item, let attribute):
            let first = try value(of: item)
            let values = user.values(attribute, as: item.type)
            return .boolean(values.contains { Comparison.holds(.equal, first, $0) })
        }
    }

    private func truth(_ condition: TypedExpression) throws -> Bool? {
        if case .boolean(let value) = try value(of: condition) { return value }
        return nil
    }
}

/// The six comparisons of two values of one family.
enum Comparison {
    static func holds(_ name: Expression.BinaryOperator, _ left: Value, _ right: Value) -> Bool {
        let order = Value.compare(left, right)
        switch name {
        case .equal: return order == 0
        case .notEqual: return order != 0
        default: break
        }
        guard let order, left != .null, right != .null else { return false }
        switch name {
        case .lessThan: return order < 0
        case .lessOrEqual: return order <= 0
        case .greaterThan: return order > 0
        default: return order >= 0
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

extension Expression.BinaryOperator {
    var isComparison: Bool {
        switch self {
        case .equal, .notEqual, .lessThan, .lessOrEqual, .greaterThan, .greaterOrEqual: true
        default: false
        }
    }
}

extension Value {
    fileprivate init(_ truth: Bool?) {
        self = truth.map(Value.boolean) ?? .null
    }
}

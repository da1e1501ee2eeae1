// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What the checker asks and makes of expressions.
extension TypedExpression {
    /// Whether this is the literal null.
    var isNull: Bool {
        if case .literal(.null) = node { true } else { false }
    }

    /// Whether the type is that of what it meets: `@me`, a dynamic property.
    var isUntyped: Bool {
        switch node {
        case .me: true
        default: isDynamic
        }
    }

    func typed(_ type: PrimitiveType?) -> TypedExpression {
        var copy = isDynamic ? mappingDynamic { $0.typed(type) } : self
        copy.type = type
        return copy
    }

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

    static func literal(_ value: Value, _ type: PrimitiveType?) -> TypedExpression {
        TypedExpression(node: .literal(value), type: type)
    }
}

extension Expression.BinaryOperator {
    var isEquality: Bool { self == .equal || self == .notEqual }
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
        case .geography(let value): value.isFlat ? .geometry : .geography
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension SQLCompiler {
    /// Compiles a value: a column as it is stored, anything else computed.
    mutating func operand(_ expression: TypedExpression, in scope: Scope) -> SQLOperand {
        if case .path(let path) = expression.node { return self.path(path, in: scope) }
        if case .invoke = expression.node { return invoke(expression, in: scope) }
        return computed(expression, in: scope)
    }

    /// Compiles a value in the form of computed values.
    mutating func computed(_ expression: TypedExpression, in scope: Scope) -> SQLOperand {
        let type = expression.type ?? .string
        switch expression.node {
        case .literal(let value): return constant(value, type: type)
        case .me(let attribute): return constant(user.value(attribute, as: expression.type), type: type)
        case .path(let path): return computed(self.path(path, in: scope))
        case .promote(let inner): return promoted(computed(inner, in: scope), to: type)
        case .unary(.negate, let inner): return negated(computed(inner, in: scope))
        case .invoke: return computed(invoke(expression, in: scope))
        case .unary(.not, _), .isIn, .isInUser, .lambda, .found, .isSame, .isResult:
            return truthValue(expression, in: scope)
        case .cast(let inner): return cast(computed(inner, in: scope), to: type)
        case .conditional(let branches): return conditional(branches, type: type, in: scope)
        case .count(let items, let body): return count(items, body, in: scope)
        case .fold(let folding, let items, let body, let value):
            return fold(folding, items, body, value, as: type, in: scope)
        case .item, .member, .element, .list: return json(expression, in: scope)
        case .binary(let name, let left, let right):
            guard name.isArithmetic else { return truthValue(expression, in: scope) }
            return arithmetic(name, computed(left, in: scope), computed(right, in: scope), type: type)
        case .call(let function, let arguments):
            if type == .boolean { return truthValue(expression, in: scope) }
            return call(function, arguments, type: type, in: scope)
        }
    }

    /// The SQL of a value in its computed form; of the literal null too.
    mutating func value(_ expression: TypedExpression, in scope: Scope? = nil) -> SQLFragment {
        if expression.isNullLiteral { return constant(.null, type: expression.type ?? .string).sql }
        return computed(expression, in: scope ?? root).sql
    }

    private mutating func truthValue(_ expression: TypedExpression, in scope: Scope) -> SQLOperand {
        let condition = condition(expression, exact: true, in: scope)
        return SQLOperand("(\(condition.sql))", type: .boolean, isNullable: condition.isNullable)
    }

    /// A stored column as a computed value.
    func computed(_ operand: SQLOperand) -> SQLOperand {
        guard case .stored(let column) = operand.form else { return operand }
        let property = column.property
        var result = operand
        result.form = .computed
        if property.storage == .memberName {
            result.sql = memberNumber(operand.sql, property)
        } else if property.type.isSpatial {
            let srid = property.srid ?? (property.type.isGeometry ? 0 : 4326)
            result.sql = dialect.call(
                .shape,
                [operand.sql, SQLFragment(raw: "'\(property.storage.rawValue)'"), SQLFragment(raw: String(srid))]
            )
        } else {
            result.sql = dialect.computed(operand.sql, property)
        }
        return result
    }

    /// A computed constant.
    func constant(_ value: Value, type: PrimitiveType) -> SQLOperand {
        // Not-a-number is null where no column holds it.
        var operand = SQLOperand(dialect.constant(value, type), type: type, isNullable: value.isNull || value.isNaN)
        operand.holdsNaN = value.isNaN
        if case .integer(let number) = value { operand.isSmall = Int32(exactly: number) != nil }
        return operand
    }

    /// A computed number or date in a wider type.
    private func promoted(_ operand: SQLOperand, to type: PrimitiveType) -> SQLOperand {
        var result = operand
        result.type = type
        switch (operand.type, type) {
        case (.date, .dateTimeOffset): result.sql = "(\(operand.sql) || 'T00:00:00.000000000Z')"
        case (_, .decimal) where operand.type.integerRange != nil: result.sql = dialect.call(.decimal, [operand.sql])
        case (.decimal, .double), (.decimal, .single): result.sql = dialect.call(.double, [operand.sql])
        case (_, .double), (_, .single):
            if operand.type.integerRange != nil { result.sql = dialect.real(operand.sql) }
        default: break
        }
        result.isSmall = operand.isSmall && type.integerRange != nil
        return result
    }

    private func negated(_ operand: SQLOperand) -> SQLOperand {
        let sql: SQLFragment
        switch operand.type {
        case .decimal: sql = dialect.call(.decimalNegate, [operand.sql])
        case .double, .single: sql = "(-\(operand.sql))"
        default: sql = operand.isSmall ? "(-\(operand.sql))" : dialect.call(.negate, [operand.sql])
        }
        var result = SQLOperand(sql, type: operand.type, isNullable: operand.isNullable || !operand.isSmall)
        result.holdsNaN = operand.holdsNaN
        return result
    }

    // MARK: - Arithmetic

    private func arithmetic(
        _ name: Expression.BinaryOperator,
        _ left: SQLOperand,
        _ right: SQLOperand,
        type: PrimitiveType
    ) -> SQLOperand {
        let sql: SQLFragment
        switch (left.type, right.type) {
        case (.duration, .decimal):
            sql = dialect.call(name == .mul ? .durationMultiply : .durationDivide, [left.sql, right.sql])
        case (.dateTimeOffset, .duration), (.date, .duration):
            sql = momentShift(name, left, right)
        case (.dateTimeOffset, .dateTimeOffset), (.date, .date):
            sql = dialect.call(.momentSubtract, [atMidnight(left), atMidnight(right)])
        default:
            if name == .divby, left.type.integerRange != nil {
                sql = dialect.call(
                    .decimalDivide,
                    [dialect.call(.decimal, [left.sql]), dialect.call(.decimal, [right.sql])]
                )
            } else {
                let isSmall = left.isSmall && right.isSmall
                sql = dialect.arithmetic(name, left.sql, right.sql, left.type, isSmall: isSmall)
            }
        }
        // Nullable in any case: overflow, division by zero and what is not a number give null.
        var result = SQLOperand(sql, type: type, isNullable: true)
        result.holdsNaN = false
        return result
    }

    private func momentShift(
        _ name: Expression.BinaryOperator,
        _ moment: SQLOperand,
        _ duration: SQLOperand
    ) -> SQLFragment {
        let step = name == .sub ? dialect.call(.negate, [duration.sql]) : duration.sql
        let shifted = dialect.call(.momentAdd, [atMidnight(moment), step])
        return moment.type == .date ? "substr(\(shifted), 1, 10)" : shifted
    }

    private func atMidnight(_ operand: SQLOperand) -> SQLFragment {
        operand.type == .date ? "(\(operand.sql) || 'T00:00:00.000000000Z')" : operand.sql
    }
}

extension Expression.BinaryOperator {
    var isArithmetic: Bool {
        switch self {
        case .add, .sub, .mul, .div, .divby, .mod: true
        default: false
        }
    }
}

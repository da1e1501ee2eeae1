// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension SQLCompiler {
    /// Compiles a value: a column as it is stored, anything else computed.
    mutating func operand(_ expression: TypedExpression, in scope: Scope) -> SQLOperand {
        if case .path(let path) = expression.node { return self.path(path, in: scope) }
        return computed(expression, in: scope)
    }

    /// Compiles a value in the form of computed values.
    mutating func computed(_ expression: TypedExpression, in scope: Scope) -> SQLOperand {
        let type = expression.type ?? .string
        switch expression.node {
        case .literal(let value): return SQLOperand(constant: value, type: type)
        case .me(let attribute): return SQLOperand(constant: user.value(attribute, as: expression.type), type: type)
        case .path(let path): return computed(self.path(path, in: scope))
        case .promote(let inner): return promoted(computed(inner, in: scope), to: type)
        case .unary(.negate, let inner): return negated(computed(inner, in: scope))
        case .unary(.not, _), .isIn, .isInUser, .lambda: return truthValue(expression, in: scope)
        case .cast(let inner): return cast(computed(inner, in: scope), to: type)
        case .conditional(let branches): return conditional(branches, type: type, in: scope)
        case .count(let items, let body): return count(items, body, in: scope)
        case .item, .member, .list: return json(expression, in: scope)
        case .binary(let name, let left, let right):
            guard name.isArithmetic else { return truthValue(expression, in: scope) }
            return arithmetic(name, computed(left, in: scope), computed(right, in: scope), type: type)
        case .call(let function, let arguments):
            if type == .boolean { return truthValue(expression, in: scope) }
            return call(function, arguments, type: type, in: scope)
        }
    }

    private mutating func truthValue(_ expression: TypedExpression, in scope: Scope) -> SQLOperand {
        let condition = condition(expression, exact: true, in: scope)
        return SQLOperand("(\(condition.sql))", type: .boolean, isNullable: condition.isNullable)
    }

    /// A stored column as a computed value.
    func computed(_ operand: SQLOperand) -> SQLOperand {
        guard case .stored(let property) = operand.form else { return operand }
        var result = operand
        result.form = .computed
        let column = operand.sql
        switch (property.type, property.storage) {
        case (_, .memberName): result.sql = memberNumber(column, property)
        case (let type, let form) where type.isSpatial:
            let srid = property.srid ?? (type.isGeometry ? 0 : 4326)
            result.sql = dialect.call(
                .shape,
                [column, SQLFragment(raw: "'\(form.rawValue)'"), SQLFragment(raw: String(srid))]
            )
        case (.boolean, .booleanText): result.sql = "(\(column) = 'true')"
        case (.decimal, .decimalScaled):
            result.sql = dialect.call(.decimalScaled, [column, SQLFragment(raw: String(property.scale ?? 0))])
        case (.decimal, .decimalText): break
        case (.decimal, _): result.sql = dialect.call(.decimal, [column])
        case (.guid, .guidBlob): result.sql = dialect.call(.guid, [column])
        case (.guid, .guidUpper): result.sql = "lower(\(column))"
        case (.date, .native), (.date, .sqlText): break
        case (.date, _): result.sql = "substr(\(moment(column, property)), 1, 10)"
        case (.dateTimeOffset, _): result.sql = moment(column, property)
        case (.timeOfDay, _): result.sql = dialect.call(.time, [column])
        case (.duration, _): result.sql = dialect.call(.duration, [column])
        default: break
        }
        return result
    }

    private func moment(_ column: SQLFragment, _ property: Property) -> SQLFragment {
        dialect.call(.moment, [column, SQLFragment(raw: "'\(property.storage.rawValue)'")])
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
            if operand.type.integerRange != nil { result.sql = "CAST(\(operand.sql) AS REAL)" }
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
        return SQLOperand(sql, type: operand.type, isNullable: operand.isNullable || !operand.isSmall)
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
        case (.decimal, _): sql = decimalArithmetic(name, left.sql, right.sql)
        case (.double, _), (.single, _): sql = realArithmetic(name, left.sql, right.sql)
        default:
            if name == .divby {
                sql = dialect.call(
                    .decimalDivide,
                    [dialect.call(.decimal, [left.sql]), dialect.call(.decimal, [right.sql])]
                )
            } else {
                sql = integerArithmetic(name, left.sql, right.sql, isSmall: left.isSmall && right.isSmall)
            }
        }
        // Nullable in any case: overflow and division by zero give null.
        return SQLOperand(sql, type: type, isNullable: true)
    }

    private func integerArithmetic(
        _ name: Expression.BinaryOperator,
        _ left: SQLFragment,
        _ right: SQLFragment,
        isSmall: Bool
    ) -> SQLFragment {
        switch name {
        case .add: isSmall ? "(\(left) + \(right))" : dialect.call(.add, [left, right])
        case .sub: isSmall ? "(\(left) - \(right))" : dialect.call(.subtract, [left, right])
        case .mul: isSmall ? "(\(left) * \(right))" : dialect.call(.multiply, [left, right])
        case .mod: "(\(left) % \(right))"
        default: isSmall ? "(\(left) / \(right))" : dialect.call(.divide, [left, right])
        }
    }

    private func realArithmetic(
        _ name: Expression.BinaryOperator,
        _ left: SQLFragment,
        _ right: SQLFragment
    ) -> SQLFragment {
        switch name {
        case .add: "(\(left) + \(right))"
        case .sub: "(\(left) - \(right))"
        case .mul: "(\(left) * \(right))"
        case .mod: dialect.call(.remainder, [left, right])
        default: dialect.call(.realDivide, [left, right])
        }
    }

    private func decimalArithmetic(
        _ name: Expression.BinaryOperator,
        _ left: SQLFragment,
        _ right: SQLFragment
    ) -> SQLFragment {
        let function: SQLFunction =
            switch name {
            case .add: .decimalAdd
            case .sub: .decimalSubtract
            case .mul: .decimalMultiply
            case .mod: .decimalRemainder
            default: .decimalDivide
            }
        return dialect.call(function, [left, right])
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

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension SQLCompiler {
    /// `left op right` for the six comparisons.
    mutating func comparison(
        _ name: Expression.BinaryOperator,
        _ left: TypedExpression,
        _ right: TypedExpression,
        negated: Bool,
        exact: Bool,
        in scope: Scope
    ) -> SQLCondition {
        if left.isNullLiteral || right.isNullLiteral {
            return nullTest(name, left.isNullLiteral ? right : left, negated: negated, in: scope)
        }
        if left.isUser || right.isUser {
            guard let left = resolved(left, as: right.type), let right = resolved(right, as: left.type) else {
                return .unknown
            }
            return comparison(name, left, right, negated: negated, exact: exact, in: scope)
        }
        if case .literal(let constant) = right.node {
            return comparison(name, left, constant, type: right.type, negated: negated, exact: exact, in: scope)
        }
        if case .literal(let constant) = left.node {
            return comparison(
                name.mirrored,
                right,
                constant,
                type: left.type,
                negated: negated,
                exact: exact,
                in: scope
            )
        }
        let first = comparable(computed(left, in: scope))
        let second = comparable(computed(right, in: scope))
        return comparison(name, first, second, negated: negated, exact: exact)
    }

    /// The user's attribute as a constant of the other side's type; `nil` for a user without it, whom no comparison fits.
    private func resolved(_ expression: TypedExpression, as type: PrimitiveType?) -> TypedExpression? {
        guard case .me(let attribute) = expression.node else { return expression }
        guard let type = type ?? expression.type, case let value = user.value(attribute, as: type), value != .null
        else {
            return nil
        }
        return TypedExpression(node: .literal(value), type: type)
    }

    /// `eq null` and `ne null`; nothing is less or greater than null.
    private mutating func nullTest(
        _ name: Expression.BinaryOperator,
        _ operand: TypedExpression,
        negated: Bool,
        in scope: Scope
    ) -> SQLCondition {
        guard name == .equal || name == .notEqual else { return .constant(negated) }
        let isNull = (name == .equal) != negated
        if operand.isNullLiteral { return .constant(isNull) }
        if case .literal = operand.node { return .constant(!isNull) }
        if case .me(let attribute) = operand.node {
            return .constant((user.value(attribute, as: operand.type) == .null) == isNull)
        }
        let value = self.operand(operand, in: scope)
        guard value.isNullable else { return .constant(!isNull) }
        return SQLCondition("\(value.sql) \(raw: isNull ? "IS NULL" : "IS NOT NULL")")
    }

    private mutating func comparison(
        _ name: Expression.BinaryOperator,
        _ operand: TypedExpression,
        _ constant: Value,
        type: PrimitiveType?,
        negated: Bool,
        exact: Bool,
        in scope: Scope
    ) -> SQLCondition {
        if constant.isNaN { return .constant((name == .notEqual) != negated) }
        // A promoted column is compared as it is stored: the constant comes to the column, not the column to it.
        let source = operand.unpromoted
        let stored = self.operand(source, in: scope)
        if case .stored(let column) = stored.form,
            let result = comparison(
                name,
                stored,
                bound(constant, of: column.property, isEquality: name == .equal || name == .notEqual),
                column,
                negated: negated,
                exact: exact
            )
        {
            return result
        }
        let first = comparable(computed(operand, in: scope))
        let second = comparable(self.constant(constant, type: type ?? first.type))
        return comparison(name, first, second, negated: negated, exact: exact)
    }

    private func comparison(
        _ name: Expression.BinaryOperator,
        _ first: SQLOperand,
        _ second: SQLOperand,
        negated: Bool,
        exact: Bool
    ) -> SQLCondition {
        var (first, second) = (first, second)
        if let notANumber = dialect.notANumber {
            // What the database has greater than all numbers must not be on the greater side, nor on both of an equality.
            switch name {
            case .greaterThan, .greaterOrEqual: first = number(first, notANumber)
            case .lessThan, .lessOrEqual: second = number(second, notANumber)
            default:
                if first.holdsNaN, second.holdsNaN {
                    return equality(first, second, notANumber, negated: (name == .notEqual) != negated, exact: exact)
                }
            }
        }
        let (left, right) = (first.sql, second.sql)
        let isNullable = first.isNullable || second.isNullable
        switch name {
        case .equal where isNullable, .notEqual where isNullable:
            let isEqual = (name == .equal) != negated
            if !isEqual { return SQLCondition(dialect.different(left, right)) }
            // Plain where null cannot meet null and null need not come out as false.
            if exact || (first.isNullable && second.isNullable) { return SQLCondition(dialect.same(left, right)) }
            return SQLCondition("\(left) = \(right)", isNullable: true)
        default:
            guard !isNullable, negated else {
                return settled(
                    SQLCondition("\(left) \(literal: name.symbol) \(right)", isNullable: isNullable),
                    negated: negated,
                    exact: exact
                )
            }
            return SQLCondition("\(left) \(literal: name.opposite.symbol) \(right)")
        }
    }

    /// A stored column against a constant; `nil` when the column does not compare as it stands.
    private func comparison(
        _ name: Expression.BinaryOperator,
        _ operand: SQLOperand,
        _ bound: StoredBound,
        _ stored: StoredColumn,
        negated: Bool,
        exact: Bool
    ) -> SQLCondition? {
        let isEquality = name == .equal || name == .notEqual
        let column = collated(operand.sql, stored.property, isEquality: isEquality)
        func test(_ symbol: StaticString, _ value: SQLValue) -> SQLCondition {
            settled(
                SQLCondition("\(column) \(literal: symbol) \(bind: value)", isNullable: operand.isNullable),
                negated: negated,
                exact: exact
            )
        }
        let isOrder = !isEquality
        let isUpwards = name == .greaterThan || name == .greaterOrEqual
        switch bound {
        case .computed: return nil
        case .never: return .constant((name == .notEqual) != negated)
        case .beforeAll, .afterAll:
            guard isOrder else { return .constant((name == .notEqual) != negated) }
            guard isUpwards == (bound == .beforeAll) else { return .constant(negated) }
            guard operand.isNullable else { return .constant(!negated) }
            return SQLCondition("\(operand.sql) \(raw: negated ? "IS NULL" : "IS NOT NULL")")
        case .exact(let value):
            if isUpwards, operand.holdsNaN, let notANumber = dialect.notANumber {
                // Both ends said, so that one range of an index serves.
                return settled(
                    SQLCondition(
                        "(\(column) \(literal: name.symbol) \(bind: value) AND \(column) < \(notANumber))",
                        isNullable: operand.isNullable,
                        isAtom: true
                    ),
                    negated: negated,
                    exact: exact
                )
            }
            // What most comparisons are: null has no say in it.
            if !negated, !operand.isNullable || !exact && name != .notEqual { return test(name.symbol, value) }
            var (first, second) = (operand, operand)
            first.sql = column
            second.sql = SQLFragment(bind: value)
            second.isNullable = false
            second.holdsNaN = false
            return comparison(name, first, second, negated: negated, exact: exact)
        case .above(let floor):
            guard isOrder else { return .constant((name == .notEqual) != negated) }
            return test(isUpwards ? ">" : "<=", floor)
        case .range(let lower, let upper):
            switch name {
            case .greaterThan: return test(">=", upper)
            case .greaterOrEqual: return test(">=", lower)
            case .lessThan: return test("<", lower)
            case .lessOrEqual: return test("<", upper)
            default:
                return settled(
                    SQLCondition(
                        "(\(column) >= \(bind: lower) AND \(column) < \(bind: upper))",
                        isNullable: operand.isNullable,
                        isAtom: true
                    ),
                    negated: (name == .notEqual) != negated,
                    exact: exact
                )
            }
        }
    }

    /// `item in (…)`: true when the item equals one of the list, null equal to null; never null.
    mutating func membership(
        _ item: TypedExpression,
        _ list: [TypedExpression],
        negated: Bool,
        exact: Bool,
        in scope: Scope
    ) -> SQLCondition {
        guard let item = resolved(item, as: list.lazy.compactMap(\.type).first) else { return .unknown }
        let stored = operand(item.unpromoted, in: scope)
        var values: [SQLFragment] = []
        var others: [TypedExpression] = []
        for entry in list {
            if case .literal(let constant) = entry.node, case .stored(let column) = stored.form,
                case .exact(let value) = bound(constant, of: column.property, isEquality: true)
            {
                values.append(SQLFragment(bind: value))
            } else {
                others.append(entry)
            }
        }
        var terms: [SQLCondition] = []
        if case .stored(let form) = stored.form, !values.isEmpty {
            let column = collated(stored.sql, form.property, isEquality: true)
            let plain = SQLCondition(
                "\(column) IN (\(SQLFragment(values, separator: ", ")))",
                isNullable: stored.isNullable
            )
            terms.append(settled(plain, negated: negated, exact: exact))
        }
        for other in others {
            terms.append(comparison(.equal, item, other, negated: negated, exact: exact, in: scope))
        }
        guard terms.count != 1 else { return terms[0] }
        guard !terms.isEmpty else { return .constant(negated) }
        return SQLCondition(joining: terms, negated ? .and : .or)
    }
}

extension TypedExpression {
    var isNullLiteral: Bool {
        if case .literal(.null) = node { true } else { false }
    }

    fileprivate var isUser: Bool {
        if case .me = node { true } else { false }
    }

    /// The number or date inside a promotion.
    var unpromoted: TypedExpression {
        if case .promote(let inner) = node { return inner.unpromoted }
        return self
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension SQLCompiler {
    /// One compiled key of an order.
    struct Term {
        var expression: TypedExpression
        var isDescending: Bool
        /// What the rows are ordered by.
        var sort: SQLFragment
        var operand: SQLOperand
    }

    /// Compiles a key of an order, so that the order of rows is that of the comparisons.
    mutating func term(_ key: ReadPlan.SortKey) -> Term {
        let operand = operand(key.expression, in: root)
        var sort = operand
        if let collation = key.collation {
            sort.sql = "\(computed(operand).sql) COLLATE \(SQLFragment(raw: SQLToken.name(collation.name)))"
        } else if case .stored(let column) = operand.form {
            let property = column.property
            if dialect.comparesAsStored(property), property.storage != .memberName {
                sort.sql = collated(operand.sql, property)
            } else if property.type == .decimal, property.storage != .memberName {
                sort.sql = dialect.call(.real, [operand.sql])
            } else {
                sort = comparable(computed(operand))
            }
        } else {
            sort = comparable(operand)
        }
        return Term(expression: key.expression, isDescending: key.isDescending, sort: sort.sql, operand: operand)
    }

    /// The rows after a page whose last row had these values.
    ///
    ///     a asc, b desc, key      after (1, null, 7)
    ///     a >= 1 AND (a > 1 OR (a = 1 AND b IS NULL AND key > 7))
    ///
    /// A null is before all values in ascending order and after them in descending order, so each nullable key has two
    /// ranges; a comparison of row values would lose the rows of one of them.
    mutating func condition(after values: [Value], terms: [Term]) -> SQLFragment {
        var alternatives: [SQLFragment] = []
        var equal: [SQLFragment] = []
        for (term, value) in zip(terms, values) {
            if let beyond = beyond(term, value) {
                alternatives.append(SQLFragment(equal + [beyond], separator: " AND "))
            }
            equal.append(test(term, .equal, value))
        }
        guard alternatives.count > 1, let first = terms.first, let value = values.first, value != .null,
            !(first.isDescending && first.operand.isNullable)
        else {
            guard alternatives.count > 1 else { return alternatives.first ?? "FALSE" }
            let ranges = SQLFragment(alternatives, separator: ") OR (")
            return "((\(ranges)))"
        }
        // The bound on the first key is implied; said alone it lets the index be entered where the page begins.
        let bound = test(first, first.isDescending ? .lessOrEqual : .greaterOrEqual, value)
        let ranges = SQLFragment(alternatives, separator: ") OR (")
        return "\(bound) AND ((\(ranges)))"
    }

    /// The rows whose value of one key comes after a value; `nil` when there can be none.
    private mutating func beyond(_ term: Term, _ value: Value) -> SQLFragment? {
        let isNullable = term.operand.isNullable
        guard value != .null else {
            return term.isDescending || !isNullable ? nil : "\(term.operand.sql) IS NOT NULL"
        }
        guard term.isDescending else { return test(term, .greaterThan, value) }
        let less = test(term, .lessThan, value)
        return isNullable ? "(\(less) OR \(term.operand.sql) IS NULL)" : less
    }

    private mutating func test(_ term: Term, _ name: Expression.BinaryOperator, _ value: Value) -> SQLFragment {
        // As the rows are ordered: in a filter not-a-number is in no order, and not equal to itself.
        if dialect.notANumber != nil, term.operand.holdsNaN, case .double = value {
            return "(\(term.sort) \(literal: name.symbol) \(self.constant(value, type: .double).sql))"
        }
        let constant = TypedExpression(node: .literal(value), type: value == .null ? nil : term.expression.type)
        return comparison(name, term.expression, constant, negated: false, exact: false, in: root).grouped
    }
}

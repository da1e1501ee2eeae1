// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// A compiled `$apply`: each step is a SELECT over the one before.
///
///     SELECT c0, c1 FROM (SELECT k AS c0, SUM(v) AS c1 FROM (SELECT t0.* FROM orders AS t0 WHERE …) AS t0
///                         GROUP BY 1) AS t0 ORDER BY …
///
/// Entities keep the columns of their table, so that paths join as ever; rows have columns `c0`, `c1`, … in the form of
/// computed values.
package struct AggregationStatement: Hashable, Sendable {
    package var text: String
    package var bindings: [SQLValue]
    /// The types of the result columns.
    package var types: [PrimitiveType]

    /// Compiles a plan.
    package init(_ plan: AggregationPlan, dialect: some SQLDialect) {
        var builder = AggregationBuilder(plan: plan, dialect: dialect)
        let sql = builder.statement()
        (text, bindings) = sql.rendered(dialect)
        types = plan.columns.map { $0.type ?? .string }
    }

    /// The condition on the table `t0` that its rows are those that a plan leaves.
    ///
    /// - Parameter key: the columns of the set's table `t0` that are its key.
    package static func restriction(
        to plan: AggregationPlan,
        key: [SQLFragment],
        dialect: some SQLDialect
    ) -> SQLFragment {
        var builder = AggregationBuilder(plan: plan, dialect: dialect)
        return RowRestriction.rows(key, from: builder.entities())
    }

    /// The value of a result column; null for what has another form than its type.
    package func value(_ stored: SQLValue, _ column: Int) -> Value {
        Value(computedSQL: stored, type: types[column]) ?? .null
    }
}

extension SQLCompiler {
    /// A value as it is grouped by.
    mutating func groupKey(_ key: TypedExpression) -> SQLFragment {
        if key.isNullLiteral { return constant(.null, type: .string).sql }
        return comparable(computed(key, in: root)).sql
    }

    /// A number as a floating-point number.
    mutating func real(_ value: TypedExpression) -> SQLFragment {
        computed(value.type == .double ? value : TypedExpression(node: .promote(value), type: .double), in: root).sql
    }

    mutating func aggregate(_ aggregate: AggregationPlan.Aggregate) -> SQLFragment {
        guard let expression = aggregate.value else { return "COUNT(*)" }
        let operand = computed(expression, in: root)
        return switch aggregate.method {
        case .count: "COUNT(*)"
        case .countDistinct: folded(.countDistinct, operand)
        case .min: folded(.min, operand)
        case .max: folded(.max, operand)
        case .sum: folded(.sum, operand)
        case .average: folded(.average, operand)
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
package import TidelineStorage

/// Results that are not entities: values read from the rows of a plan, and aggregates.
extension LocalStore {
    /// What is read from each row of a plan, now and after each commit that changes it.
    package func results<Row>(
        of plan: ReadPlan,
        _ read: @escaping @Sendable (inout RowCursor) throws -> Row
    ) -> LiveResults<Row> {
        LiveResults(store: self) { [layout] in
            try ListPlan(plan, section: nil, layout: layout) { statement, columns, select in
                var cursor = RowCursor(statement, columns, select)
                return try read(&cursor)
            }
        }
    }

    /// The rows of an aggregation, now and after each commit that changes them.
    package func values(of plan: AggregationPlan) -> LiveValues {
        let expressions = (plan.filter.map { [$0] } ?? []) + plan.steps.flatMap(\.expressions)
        var sets = layout.related(plan.set, expressions)
        if let own = model.setIndex(wire: plan.set.names.wire) { sets.insert(own) }
        return LiveValues(store: self, sets: sets, plan: plan)
    }
}

extension AggregationPlan.Step {
    /// What it evaluates over entities, or over rows of values, whose paths lead nowhere else.
    fileprivate var expressions: [TypedExpression] {
        switch self {
        case .filter(let condition): [condition]
        case .project(let values), .compute(let values): values
        case .group(let keys, _, let aggregates): keys + aggregates.compactMap(\.value)
        case .order(let keys, _, _, let within): keys.map(\.expression) + within
        case .rank(_, _, let value, let within): [value] + within
        case .cross(_, let condition, let values), .join(_, _, let condition, let values):
            (condition.map { [$0] } ?? []) + values
        case .concat(let parts, _): parts.flatMap { $0.steps.flatMap(\.expressions) }
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineSQLite
import TidelineStorage

extension Connection {
    /// The rows of an aggregation: the values of its columns, hidden ones included.
    func aggregated(_ plan: AggregationPlan) throws -> [[Value]] {
        var plan = plan
        let set = try layout.set(plan.set.names.wire)
        plan.set = set.set
        plan.model = layout.model
        plan.restriction = try restriction(plan.conditions, on: set) ?? plan.restriction
        let collector = ValueCollector(plan.columns.map { $0.type ?? .string })
        _ = try SQLiteRefusal.translated { try layout.plans.aggregate(plan, on: database, into: collector) }
        return try collector.rows()
    }
}

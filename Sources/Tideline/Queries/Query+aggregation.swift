// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineStore

extension Query {
    /// The plan that groups the entities by some values and aggregates others: the keys, then the aggregates, in the order
    /// of the keys.
    ///
    /// - Throws: as ``plan(over:)``; ``LocalStoreError/Code/unsupported`` for the first entities by a collation.
    func aggregation(
        over model: EntityModel,
        keys: [Expression],
        _ aggregates: [AnyAggregate]
    ) throws -> AggregationPlan {
        let checker = try checker(over: model)
        var steps: [Transformation] = []
        if top != nil || skip > 0 {
            guard !order.contains(where: { $0.collation != nil }) else {
                throw LocalStoreError(
                    .unsupported,
                    set: checker.set.names.wire,
                    message: "The first entities in the order of a language cannot be aggregated."
                )
            }
            steps.append(.orderBy(order.map { OrderByItem($0.expression, isDescending: $0.isDescending) }))
            if skip > 0 { steps.append(.skip(Int64(skip))) }
            if let top { steps.append(.top(Int64(top))) }
        }
        let names = keys.indices.map { "$key\($0)" }
        if !keys.isEmpty { steps.append(.compute(zip(keys, names).map { ComputeItem($0, as: $1) })) }
        let items = aggregates.enumerated().map { place, aggregate in aggregate.item(as: "$value\(place)") }
        if keys.isEmpty {
            steps.append(.aggregate(items))
        } else {
            let inner = items.isEmpty ? [] : [Transformation.aggregate(items)]
            steps.append(.groupBy(names.map { .property([$0]) }, inner))
        }
        var plan = try AggregationPlanner.plan(
            steps,
            over: checker.set,
            in: checker.model,
            filter: try condition(checker),
            user: .anonymous
        )
        plan.conditions = conditions
        return plan
    }
}

/// An aggregate without the type of its value.
struct AnyAggregate: Sendable {
    /// What is aggregated; `nil` for the number of entities.
    var value: Expression?
    var method: AggregateMethod

    func item(as name: String) -> AggregateItem {
        guard let value else { return AggregateItem(.count([]), as: name) }
        return AggregateItem(.expression(value), with: method, as: name)
    }
}

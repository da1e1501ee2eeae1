// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// A group of entities: what they have in common, and what was made of them.
public struct GroupedRow<Key: Sendable, Values: Sendable>: Sendable {
    /// The values that they agree in, null as `nil`.
    public let key: Key
    /// The aggregates, null as `nil`.
    public let values: Values
}

extension Query {
    /// One row for each group of entities that agree in some values, in the order of these, null first.
    ///
    ///     let groups = try store.fetch(
    ///         Order.all.grouped(by: { $0.client.clientName }) { (Aggregate.count, $0.total.sum) }
    ///     )
    ///     groups[0].key          // String?
    ///     groups[0].values.1     // EdmDecimal?
    ///
    /// - Parameters:
    ///   - keys: a term or a tuple of terms.
    ///   - aggregates: an aggregate or a tuple of aggregates.
    public func grouped<each Key: PropertyValue, each Content: PropertyValue>(
        by keys: (Result.Columns) -> (repeat Term<each Key>),
        _ aggregates: (Result.Columns) -> (repeat Aggregate<each Content>)
    ) -> ValueQuery<GroupedRow<(repeat (each Key)?), (repeat (each Content)?)>> {
        let columns = Result.Columns(navigationPath: [])
        var expressions: [Expression] = []
        for term in repeat each keys(columns) { expressions.append(term.expression) }
        var erased: [AnyAggregate] = []
        for aggregate in repeat each aggregates(columns) { erased.append(aggregate.erased) }
        let (chosen, made) = (expressions, erased)
        let keyTypes = PackedTypes<repeat each Key>()
        let valueTypes = PackedTypes<repeat each Content>()
        return ValueQuery(
            source: .aggregation(
                { model in try aggregation(over: model, keys: chosen, made) },
                { values in
                    GroupedRow(
                        key: try keyTypes.decode(Array(values.prefix(chosen.count))),
                        values: try valueTypes.decode(Array(values.dropFirst(chosen.count)))
                    )
                }
            )
        )
    }
}

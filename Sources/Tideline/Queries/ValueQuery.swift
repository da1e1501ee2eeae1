// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineStore

/// A query for values in place of entities; null is `nil`.
///
///     let rows = try store.fetch(Order.all.select { ($0.client.clientName, $0.total) })      // [(String?, EdmDecimal?)]
///     let names = try store.fetch(Client.all.select { $0.clientName }.distinct())            // [String?]
public struct ValueQuery<Row: Sendable>: Sendable {
    /// How rows are found and read.
    enum Source: Sendable {
        case plan(@Sendable (EntityModel) throws -> ReadPlan, @Sendable (inout RowCursor) throws -> Row)
        case aggregation(@Sendable (EntityModel) throws -> AggregationPlan, @Sendable ([Value]) throws -> Row)
    }

    var source: Source
    /// The query for each combination of values once, where it was not asked for yet.
    var distinctSource: Source?

    /// Each combination of values once, in the order of the values.
    ///
    /// The order of the query then says only which entities its limit takes.
    public func distinct() -> ValueQuery {
        ValueQuery(source: distinctSource ?? source)
    }
}

extension Query {
    /// Values of the entities in place of the entities themselves.
    ///
    /// - Parameter terms: a term or a tuple of terms: properties, those of what is referred to, calculated ones.
    public func select<each Content: PropertyValue>(
        _ terms: @Sendable (Result.Columns) -> (repeat Term<each Content>)
    ) -> ValueQuery<(repeat (each Content)?)> {
        let picked = terms(Result.Columns(navigationPath: []))
        var expressions: [Expression] = []
        for term in repeat each picked { expressions.append(term.expression) }
        let chosen = expressions
        let types = PackedTypes<repeat each Content>()
        let read: @Sendable (inout RowCursor) throws -> (repeat (each Content)?) = { row in try types.read(&row) }
        return ValueQuery(
            source: .plan(
                { model in
                    let checker = try checker(over: model)
                    var plan = try plan(checker)
                    plan.computed = try chosen.map { try checker.check($0) }
                    return plan
                },
                read
            ),
            distinctSource: .aggregation(
                { model in try aggregation(over: model, keys: chosen, []) },
                { values in try types.decode(values) }
            )
        )
    }
}

/// Reads values of some types, one after the other.
struct PackedTypes<each Content: PropertyValue>: Sendable {
    private let decoder: RowDecoder

    init() {
        var properties: [Property] = []
        for type in repeat (each Content).self {
            properties.append(Property(names: Names(wire: "column \(properties.count + 1)"), type: type.edmType))
        }
        decoder = RowDecoder(properties)
    }

    func read(_ row: inout RowCursor) throws -> (repeat (each Content)?) {
        (repeat try (each Content)?.read(from: &row))
    }

    func decode(_ values: [Value]) throws -> (repeat (each Content)?) {
        try decoder.decode(values) { try read(&$0) }
    }
}

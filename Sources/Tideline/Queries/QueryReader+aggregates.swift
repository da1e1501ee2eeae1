// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineStore

/// One value of all entities of a query; `nil` where none of them has a value.
extension QueryReader {
    /// An aggregate over the entities of a query.
    ///
    ///     try store.aggregate(Order.all) { $0.total.sum }
    public func aggregate<Result, Content>(
        _ query: Query<Result>,
        _ aggregate: (Result.Columns) -> Aggregate<Content>
    ) throws -> Content? {
        let erased = aggregate(Result.Columns(navigationPath: [])).erased
        let rows = try rows(of: query.aggregation(over: model, keys: [], [erased]))
        guard let row = rows.first else { return nil }
        return try PackedTypes<Content>().decode(row)
    }

    /// The sum of a number.
    public func sum<Result, Content: NumberValue>(
        of query: Query<Result>,
        _ term: (Result.Columns) -> Term<Content>
    ) throws -> Content.Sum? {
        try aggregate(query) { term($0).sum }
    }

    /// The mean of a number.
    public func average<Result, Content: NumberValue>(
        of query: Query<Result>,
        _ term: (Result.Columns) -> Term<Content>
    ) throws -> Content.Average? {
        try aggregate(query) { term($0).average }
    }

    /// The least value.
    public func min<Result, Content>(
        of query: Query<Result>,
        _ term: (Result.Columns) -> Term<Content>
    ) throws -> Content? {
        try aggregate(query) { term($0).min }
    }

    /// The greatest value.
    public func max<Result, Content>(
        of query: Query<Result>,
        _ term: (Result.Columns) -> Term<Content>
    ) throws -> Content? {
        try aggregate(query) { term($0).max }
    }
}

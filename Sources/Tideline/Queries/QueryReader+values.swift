// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage
public import TidelineStore

/// Values and groups, from a store, from a snapshot, and from a transaction with its own changes.
extension QueryReader {
    /// The rows of a query for values or groups.
    public func fetch<Row>(_ query: ValueQuery<Row>) throws -> [Row] {
        switch query.source {
        case .plan(let plan, let read): try rows(of: plan(model), read)
        case .aggregation(let plan, let read): try rows(of: plan(model)).map(read)
        }
    }

    /// Values of the entities of a query.
    public func values<Result, each Content: PropertyValue>(
        of query: Query<Result>,
        _ terms: @Sendable (Result.Columns) -> (repeat Term<each Content>)
    ) throws -> [(repeat (each Content)?)] {
        try fetch(query.select(terms))
    }

    /// The entities of a query, each with what it includes.
    public func fetch<Row>(_ query: IncludedQuery<Row>) throws -> [Row] {
        try fetchExpanded(query.plan(model)).map(query.read)
    }

    /// The entities of a query in collections: those with the same value of a term, in the order of the values, null
    /// first; in each collection in the order of the query.
    ///
    ///     for (artist, songs) in try store.collections(of: Song.all, by: { $0.artist }) { ... }
    public func collections<Result, Content: PropertyValue & Equatable>(
        of query: Query<Result>,
        by term: (Result.Columns) -> Term<Content>
    ) throws -> [(key: Content?, entities: [Result])] {
        let expression = term(Result.Columns(navigationPath: [])).expression
        let checker = try query.checker(over: model)
        var plan = try query.plan(over: model)
        let key = try checker.check(expression)
        plan.orderBy.insert(.init(key), at: 0)
        plan.computed.append(key)
        var collections: [(key: Content?, entities: [Result])] = []
        for (entity, value) in try rows(of: plan, { (try Result(row: &$0), try Content?.read(from: &$0)) }) {
            if let last = collections.last, last.key == value {
                collections[collections.count - 1].entities.append(entity)
            } else {
                collections.append((value, [entity]))
            }
        }
        return collections
    }
}

extension LocalStore {
    /// The rows of a query for values or groups, at once and after every commit that changes them, whoever made it.
    ///
    /// A slow reader gets the newest state. Ends when the task is cancelled or the store is closed; a query that the
    /// model refuses throws at the first `next`.
    public func live<Row>(_ query: ValueQuery<Row>) -> LiveRows<Row> {
        LiveRows(store: self, query: query)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
public import TidelineStore

extension QueryReader {
    /// The entities of a query.
    public func fetch<Result>(_ query: Query<Result>) throws -> [Result] {
        try rows(of: query.plan(over: model)) { try Result(row: &$0) }
    }

    /// The first entity of a query, or `nil`.
    public func first<Result>(_ query: Query<Result>) throws -> Result? {
        try fetch(query.limit(1)).first
    }

    /// The number of entities that satisfy a query's condition; limit and offset do not count.
    public func count<Result>(_ query: Query<Result>) throws -> Int {
        try count(query.plan(over: model))
    }

    /// The entity of a key, or `nil`.
    ///
    /// - Parameters:
    ///   - type: the entity.
    ///   - key: the values of its key properties, in their order.
    public func fetch<Result: Queryable>(_ type: Result.Type, key: any PropertyValue...) throws -> Result? {
        try first(type.query(key: Key(key.map(\.edmValue)), over: model))
    }
}

extension LocalStore {
    /// The entities of a query, at once and after every commit that changes them, whoever made it.
    ///
    /// A slow reader gets the newest state. Ends when the task is cancelled or the store is closed; a query that the
    /// model refuses throws at the first `next`.
    public func live<Result>(_ query: Query<Result>) -> LiveEntities<Result> {
        LiveEntities { [self] in results(of: Result.self, try query.plan(over: model)) }
    }
}

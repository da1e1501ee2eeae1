// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
public import TidelineStore

extension LocalStore {
    /// The entities of a query.
    public func fetch<Result>(_ query: Query<Result>) throws -> [Result] {
        try fetch(Result.self, query.plan(over: model))
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
        let key = Key(key.map(\.edmValue))
        return try read { try $0.fetch(type, key: key) }
    }

    /// The entities of a query, at once and after every commit that changes them, whoever made it.
    ///
    /// A slow reader gets the newest state. Ends when the task is cancelled or the store is closed; a query that the
    /// model refuses throws at the first `next`.
    public func live<Result>(_ query: Query<Result>) -> LiveEntities<Result> {
        LiveEntities { [self] in results(of: Result.self, try query.plan(over: model)) }
    }
}

extension LocalReader {
    /// The entities of a query.
    public func fetch<Result>(_ query: Query<Result>) throws -> [Result] {
        try fetch(Result.self, query.plan(over: model))
    }
}

extension LocalTransaction {
    /// The entities of a query, with the changes of this transaction.
    public func fetch<Result>(_ query: Query<Result>) throws -> [Result] {
        try fetch(Result.self, query.plan(over: model))
    }

    /// The entity of a key, or `nil`.
    ///
    /// - Parameters:
    ///   - type: the entity.
    ///   - key: the values of its key properties, in their order.
    public func fetch<Result: Queryable>(_ type: Result.Type, key: any PropertyValue...) throws -> Result? {
        try fetch(type, key: Key(key.map(\.edmValue)))
    }

    /// Inserts an entity and gives it what the store gave it: the temporary key where the server makes the key.
    public func insert<Result: Queryable>(_ entity: inout Result) throws {
        let key = try insert(entity)
        if let stored = try fetch(Result.self, key: key) { entity = stored }
    }

    /// Deletes an entity, and does with its dependents what the model's delete rules say.
    ///
    /// - Returns: false when there was no such entity.
    @discardableResult
    public func delete<Result: Queryable>(_ entity: Result) throws -> Bool {
        try delete(Result.self, key: entity.entityKey)
    }
}

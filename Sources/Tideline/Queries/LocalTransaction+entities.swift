// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
public import TidelineStore

/// Typed changes. Where the struct has the store's properties in the store's order, they take the store's fast way;
/// where it has a part of them, or another order, as in a store that was cloned, they go by name.
extension LocalTransaction {
    /// Inserts an entity.
    ///
    /// A generated key that is 0 gets a temporary value.
    ///
    /// - Returns: the key.
    @discardableResult
    public func insert<Result: Queryable>(_ entity: Result) throws -> Key {
        let set = try Result.entitySet(in: model)
        guard Result.hasShape(of: set.type) else {
            return try insert(entity.values(for: set, isNew: true), into: set.names.wire)
        }
        return try insertInOrder(entity)
    }

    /// Inserts many entities.
    public func insert<Result: Queryable>(contentsOf entities: some Sequence<Result>) throws {
        let set = try Result.entitySet(in: model)
        guard Result.hasShape(of: set.type) else {
            for entity in entities { try insert(entity.values(for: set, isNew: true), into: set.names.wire) }
            return
        }
        try insertInOrder(contentsOf: entities)
    }

    /// Inserts an entity and gives it what the store gave it: the temporary key where the server makes the key.
    public func insert<Result: Queryable>(_ entity: inout Result) throws {
        let key = try insert(entity)
        if let stored = try fetch(Result.query(key: key, over: model)).first { entity = stored }
    }

    /// Changes the properties in which the entity differs from what is stored.
    ///
    /// - Returns: false when there is no entity of its key.
    @discardableResult
    public func update<Result: Queryable>(_ entity: Result) throws -> Bool {
        let set = try Result.entitySet(in: model)
        guard Result.hasShape(of: set.type) else {
            return try update(entity.entityKey, entity.values(for: set, isNew: false), in: set.names.wire)
        }
        return try updateInOrder(entity)
    }

    /// Deletes an entity, and does with its dependents what the model's delete rules say.
    ///
    /// - Returns: false when there was no such entity.
    @discardableResult
    public func delete<Result: Queryable>(_ entity: Result) throws -> Bool {
        try delete(entity.entityKey, in: Result.entityDescription.set)
    }

    // With no more than `Entity` known of the type, these calls mean the store's own methods.
    private func insertInOrder<Result: Entity>(_ entity: Result) throws -> Key { try insert(entity) }

    private func insertInOrder<Result: Entity>(contentsOf entities: some Sequence<Result>) throws {
        try insert(contentsOf: entities)
    }

    private func updateInOrder<Result: Entity>(_ entity: Result) throws -> Bool { try update(entity) }
}

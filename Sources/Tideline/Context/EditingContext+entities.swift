// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
public import TidelineStore

/// Typed objects of a context.
extension EditingContext {
    /// Makes a new object with the values of a struct; the store has no row of it before the save.
    ///
    /// - Parameters:
    ///   - entity: its properties; a key that the server makes is not taken from it.
    ///   - isEditing: whether it begins in edit mode, so that cancelling leaves nothing and saving leaves it out.
    /// - Throws: ``LocalStoreError`` when the store lacks the set or one of the properties.
    @discardableResult
    public func insert<Model: Queryable>(_ entity: Model, isEditing: Bool = false) throws -> Managed<Model> {
        let set = try Model.entitySet(in: model)
        return Managed(try insert(entity.values(for: set, isNew: true), into: set.names.wire, isEditing: isEditing))
    }

    /// The object of a key, or `nil` where there is no row of it, or it is deleted here.
    ///
    /// - Parameters:
    ///   - type: the entity.
    ///   - key: the values of its key properties, in their order.
    public func object<Model: Queryable>(_ type: Model.Type, key: any PropertyValue...) throws -> Managed<Model>? {
        try object(Key(key.map(\.edmValue)), in: Model.entityDescription.set).map(Managed.init)
    }

    /// The objects of a query, with the pending changes of this context.
    public func fetch<Model>(_ query: Query<Model>) throws -> [Managed<Model>] {
        try fetch(query.plan(over: model)).map(Managed.init)
    }

    /// The first object of a query, or `nil`.
    public func first<Model>(_ query: Query<Model>) throws -> Managed<Model>? {
        try fetch(query.limit(1)).first
    }

    /// The number of objects that satisfy a query's condition, with the pending changes of this context.
    public func count<Model>(_ query: Query<Model>) throws -> Int {
        try count(query.plan(over: model))
    }

    /// The typed face of an object, or `nil` for one of another set.
    public func managed<Model: Queryable>(_ row: ManagedRow, as type: Model.Type) -> Managed<Model>? {
        row.entitySet == Model.entityDescription.set ? Managed(row) : nil
    }
}

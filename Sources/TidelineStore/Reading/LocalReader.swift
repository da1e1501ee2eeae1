// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

/// What can be read in one snapshot.
///
/// It does not outlive its closure.
public final class LocalReader {
    let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// The model of the store.
    public var model: EntityModel { connection.layout.model }

    /// One entity by its key, or `nil`.
    public func entity(_ key: Key, in set: String) throws -> [String: Value]? {
        try connection.entity(key, in: set)
    }

    /// Pushes the rows of a plan into a sink, at most one page, each with its expansions.
    ///
    /// No ETag is told.
    @discardableResult
    public func fetch(_ plan: ReadPlan, into sink: any RowSink) throws -> PageEnd {
        try connection.push(plan, into: sink)
    }

    /// The rows of a plan, each with the rows that its expansions lead to.
    public func fetchExpanded(_ plan: ReadPlan) throws -> [ExpandedRow] { try connection.expandedRows(plan) }

    /// The rows of a plan, by the wire names of their properties.
    public func fetch(_ plan: ReadPlan) throws -> [[String: Value]] { try connection.dynamicRows(plan) }

    /// The entities of a plan, whose columns are the properties of the type in its order.
    public func fetch<E: Entity>(_ type: E.Type, _ plan: ReadPlan) throws -> [E] {
        try connection.rows(type, plan)
    }

    /// One typed entity by its key, or `nil`.
    public func fetch<E: Entity>(_ type: E.Type, key: Key) throws -> E? { try connection.entity(type, key) }

    /// The number of rows that match the plan's filter.
    public func count(_ plan: ReadPlan) throws -> Int { try connection.count(plan) }
}

extension LocalTransaction {
    /// Pushes the rows of a plan into a sink, at most one page, each with its expansions.
    ///
    /// No ETag is told.
    @discardableResult
    public func fetch(_ plan: ReadPlan, into sink: any RowSink) throws -> PageEnd {
        try connection.push(plan, into: sink)
    }

    /// The rows of a plan, each with the rows that its expansions lead to.
    public func fetchExpanded(_ plan: ReadPlan) throws -> [ExpandedRow] { try connection.expandedRows(plan) }

    /// One entity by its key, or `nil`.
    public func entity(_ key: Key, in set: String) throws -> [String: Value]? { try connection.entity(key, in: set) }

    /// One typed entity by its key, or `nil`.
    public func fetch<E: Entity>(_ type: E.Type, key: Key) throws -> E? { try connection.entity(type, key) }

    /// The rows of a plan, by the wire names of their properties.
    public func fetch(_ plan: ReadPlan) throws -> [[String: Value]] { try connection.dynamicRows(plan) }

    /// The entities of a plan, whose columns are the properties of the type in its order.
    public func fetch<E: Entity>(_ type: E.Type, _ plan: ReadPlan) throws -> [E] {
        try connection.rows(type, plan)
    }
}

extension LocalStore {
    /// Pushes the rows of a plan into a sink, at most one page, each with its expansions.
    ///
    /// No ETag is told.
    @discardableResult
    public func fetch(_ plan: ReadPlan, into sink: any RowSink) throws -> PageEnd {
        try reading { try $0.push(plan, into: sink) }
    }

    /// The rows of a plan, each with the rows that its expansions lead to.
    public func fetchExpanded(_ plan: ReadPlan) throws -> [ExpandedRow] { try reading { try $0.expandedRows(plan) } }

    /// The rows of a plan, by the wire names of their properties.
    public func fetch(_ plan: ReadPlan) throws -> [[String: Value]] {
        try reading { try $0.dynamicRows(plan) }
    }

    /// The entities of a plan, whose columns are the properties of the type in its order.
    public func fetch<E: Entity>(_ type: E.Type, _ plan: ReadPlan) throws -> [E] {
        try reading { try $0.rows(type, plan) }
    }

    /// The number of rows that match the plan's filter.
    public func count(_ plan: ReadPlan) throws -> Int { try reading { try $0.count(plan) } }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

/// What carries plans out: a store, one snapshot of it, or a transaction with its own changes.
///
/// The typed queries are written over it once.
public protocol QueryReader {
    /// The model of the store.
    var model: EntityModel { get }

    /// What is read from each row of a plan: the plan's columns, then its computed values.
    func rows<Row>(of plan: ReadPlan, _ read: (inout RowCursor) throws -> Row) throws -> [Row]

    /// The rows of an aggregation: the values of its columns, in their order.
    func rows(of plan: AggregationPlan) throws -> [[Value]]

    /// The rows of a plan, each with the rows that its expansions lead to.
    func fetchExpanded(_ plan: ReadPlan) throws -> [ExpandedRow]

    /// The number of rows that match the plan's filter.
    func count(_ plan: ReadPlan) throws -> Int
}

extension LocalStore: QueryReader {
    public func rows<Row>(of plan: ReadPlan, _ read: (inout RowCursor) throws -> Row) throws -> [Row] {
        try reading { try $0.rows(plan, read) }
    }

    public func rows(of plan: AggregationPlan) throws -> [[Value]] { try reading { try $0.aggregated(plan) } }
}

extension LocalReader: QueryReader {
    public func rows<Row>(of plan: ReadPlan, _ read: (inout RowCursor) throws -> Row) throws -> [Row] {
        try connection.rows(plan, read)
    }

    public func rows(of plan: AggregationPlan) throws -> [[Value]] { try connection.aggregated(plan) }
}

extension LocalTransaction: QueryReader {
    public func rows<Row>(of plan: ReadPlan, _ read: (inout RowCursor) throws -> Row) throws -> [Row] {
        try connection.rows(plan, read)
    }

    public func rows(of plan: AggregationPlan) throws -> [[Value]] { try connection.aggregated(plan) }

    /// The number of rows that match the plan's filter.
    public func count(_ plan: ReadPlan) throws -> Int { try connection.count(plan) }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
public import TidelineStore

extension LiveList where Element: Queryable {
    /// The entities of a query, kept in step with the store.
    ///
    /// - Parameters:
    ///   - store: where the entities are.
    ///   - query: which ones, in which order; limit and offset count in that order.
    ///   - pageSize: how many elements are read together.
    /// - Throws: ``LocalStoreError`` when the store's model has not what the query names.
    public convenience init(_ store: LocalStore, _ query: Query<Element>, pageSize: Int = 50) throws {
        try self.init(store, plan: query.plan(over: store.model), pageSize: pageSize)
    }

    /// The entities of a query in sections, kept in step with the store.
    ///
    ///     LiveList(store, Talk.all.sorted { $0.start }, sectionedBy: { $0.track })
    ///
    /// - Parameters:
    ///   - store: where the entities are.
    ///   - query: which ones; in each section they have its order. Limit and offset count from the first row of the first
    ///     section.
    ///   - pageSize: how many elements are read together.
    ///   - section: what the rows of a section have in common. The sections stand in its order, null first; descending
    ///     where the query is ordered by it descending.
    /// - Throws: ``LocalStoreError`` when the store's model has not what the query names.
    public convenience init<Content>(
        _ store: LocalStore,
        _ query: Query<Element>,
        pageSize: Int = 50,
        sectionedBy section: (Element.Columns) -> Term<Content>
    ) throws {
        let plan = try query.plan(over: store.model)
        let term = section(Element.Columns(navigationPath: [])).expression
        let checker = try query.checker(over: store.model)
        try self.init(store, plan: plan, sectionedBy: checker.check(term), pageSize: pageSize)
    }
}

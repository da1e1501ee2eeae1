// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineStore

/// Which changes build on which: orders are set 1 of the fixture, details 2, tags 3, marks 4.
struct TiesTests {
    let layout = StoreLayout(Fixture.model)

    private func insert(_ set: Int, _ row: Value...) -> OutboxChange {
        change(set, .insert, row[0]) { $0.row = row }
    }

    private func delete(_ set: Int, _ row: Value...) -> OutboxChange {
        change(set, .delete, row[0]) { $0.row = row }
    }

    private func update(_ set: Int, _ key: Value, _ property: Int, _ before: Value, _ after: Value) -> OutboxChange {
        change(set, .update, key) { $0.assignments = [.init(property: property, before: before, after: after)] }
    }

    private func change(
        _ set: Int,
        _ operation: Change.Operation,
        _ key: Value,
        _ fill: (inout OutboxChange) -> Void
    ) -> OutboxChange {
        var change = OutboxChange(
            set: set,
            operation: operation,
            turn: 0,
            key: [key],
            etag: nil,
            row: [],
            assignments: []
        )
        fill(&change)
        return change
    }

    private func binds(_ earlier: OutboxChange..., later: OutboxChange) -> Bool {
        Ties(layout, earlier).isBase(of: [later])
    }

    @Test func `changes of one row build on each other, those of others and of other sets do not`() {
        let first = update(1, 7, 2, 0, 1)
        #expect(binds(first, later: update(1, 7, 2, 1, 2)))
        #expect(!binds(first, later: update(1, 8, 2, 1, 2)))
        #expect(!binds(first, later: update(2, 7, 2, 1, 2)))
        #expect(!Ties(layout).isBase(of: [first]))
    }

    @Test func `what refers to an inserted row builds on it, also what refers to it no more`() {
        let order = insert(1, -1, .null, 0, .null)
        #expect(binds(order, later: insert(2, -5, -1, .null, .null)))
        #expect(binds(order, later: update(2, 9, 1, 4, -1)))
        #expect(binds(order, later: update(2, 9, 1, -1, 4)))
        #expect(!binds(order, later: insert(2, -5, -2, .null, .null)))
        #expect(!binds(order, later: insert(2, -1, 4, .null, .null)))
        // One that was only changed is there without it.
        #expect(!binds(update(1, 3, 2, 0, 1), later: insert(2, -5, 3, .null, .null)))
    }

    @Test func `a deletion builds on what took rows away from it, gave it some or deleted some of it`() {
        let order = delete(1, 3, .null, 0, .null)
        #expect(binds(update(2, 9, 1, 3, 4), later: order))
        #expect(binds(update(2, 9, 1, 4, 3), later: order))
        #expect(binds(delete(2, 9, 3, .null, .null), later: order))
        #expect(!binds(update(2, 9, 1, 4, 5), later: order))
        #expect(!binds(update(2, 9, 2, 3, 4), later: order))
        // An update does not take anything along.
        #expect(!binds(update(2, 9, 1, 3, 4), later: update(1, 3, 2, 0, 1)))
    }

    @Test func `unique values of one set may be given up and taken, whatever the rows`() {
        let ties = Ties(layout, [update(3, .string("a"), 1, 1, 2)])
        #expect(ties.mayFreeValues(for: [update(3, .string("b"), 1, 5, 1)]))
        #expect(ties.mayFreeValues(for: [insert(3, .string("c"), 1, .null, .null)]))
        #expect(!ties.mayFreeValues(for: [update(3, .string("b"), 2, .null, .string("t"))]))
        #expect(!ties.mayFreeValues(for: [insert(1, -1, .null, 0, .null)]))
        #expect(
            !Ties(layout, [update(3, .string("a"), 2, .null, .string("t"))]).mayFreeValues(for: [
                insert(3, .string("c"), 1, .null, .null)
            ])
        )
    }

    @Test func `ties are those of all changes that were added`() {
        var ties = Ties(layout, [update(1, 7, 2, 0, 1)])
        #expect(!ties.isBase(of: [update(1, 8, 2, 0, 1)]))
        ties.add([update(1, 8, 2, 0, 1)])
        #expect(ties.isBase(of: [update(1, 8, 2, 1, 2)]) && ties.isBase(of: [update(1, 7, 2, 1, 2)]))
        #expect(ties.isBase(of: [update(1, 9, 2, 0, 1), update(1, 8, 2, 1, 2)]))
    }
}

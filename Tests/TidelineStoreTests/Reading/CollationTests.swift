// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

struct CollationTests {
    /// By the length of the text, and of the same length by nothing.
    private static let byLength = TextCollation(name: "length") { $0.count - $1.count }

    private let folder: TestFolder
    private let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
        try store.write { tx in
            for (code, title) in [("a", "ccc"), ("b", "b"), ("c", "a"), ("d", "dd")] {
                try tx.insert(["Code": .string(code), "Title": .string(title)], into: "Tags")
            }
            try tx.insert(["Code": .string("e")], into: "Tags")
        }
    }

    private func codes(_ key: ReadPlan.SortKey) throws -> [Value?] {
        var plan = try Fixture.plan(store, "Tags")
        plan.orderBy = [key]
        return try store.fetch(plan).map { $0["Code"] }
    }

    @Test func `rows come in the order of the collation, null first, what is alike by key`() throws {
        let title = TypedExpression(node: .path(.init(property: 2)), type: .string)
        #expect(
            try codes(ReadPlan.SortKey(title, collation: Self.byLength))
                == [.string("e"), .string("b"), .string("c"), .string("d"), .string("a")]
        )
        #expect(
            try codes(ReadPlan.SortKey(title, isDescending: true, collation: Self.byLength))
                == [.string("a"), .string("d"), .string("b"), .string("c"), .string("e")]
        )
    }

    @Test func `a collation of numbers and a page that goes on are refused`() throws {
        let rank = TypedExpression(node: .path(.init(property: 1)), type: .int64)
        let refusal = #expect(throws: LocalStoreError.self) {
            try codes(ReadPlan.SortKey(rank, collation: Self.byLength))
        }
        #expect(refusal?.code == .unsupported)
        var plan = try Fixture.plan(store, "Tags")
        let title = TypedExpression(node: .path(.init(property: 2)), type: .string)
        plan.orderBy = [ReadPlan.SortKey(title, collation: Self.byLength)]
        plan.after = [.string("a"), .string("c")]
        #expect(throws: LocalStoreError.self) { try store.fetch(plan) }
    }
}

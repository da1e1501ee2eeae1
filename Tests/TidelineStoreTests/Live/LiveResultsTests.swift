// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

struct LiveResultsTests {
    static func key(_ text: String) -> Key { Key([.string(text)]) }

    @Test func `a live result in another order than the key tells the move`() async throws {
        let folder = try TestFolder()
        let store = try Fixture.store(folder)
        try await store.write { tx in
            for (place, code) in ["a", "b", "c"].enumerated() {
                try tx.insert(["Code": .string(code), "Rank": .integer(Int64(place))], into: "Tags")
            }
        }
        var plan = try Fixture.plan(store, "Tags")
        plan.orderBy = [.init(TypedExpression(node: .path(.init(property: 1)), type: .int64))]
        var results = store.results(of: plan).makeAsyncIterator()
        let first = try #require(try await results.next())
        #expect(first.batch.isFirst)
        #expect(first.rows.map { $0["Code"] } == [.string("a"), .string("b"), .string("c")])
        try await store.write { _ = try $0.update(Self.key("a"), ["Rank": .integer(9)], in: "Tags") }
        let moved = try #require(try await results.next())
        #expect(moved.batch.words == ["move a from 0.0 to 0.2"])
        #expect(moved.rows.map { $0["Code"] } == [.string("b"), .string("c"), .string("a")])
    }
}

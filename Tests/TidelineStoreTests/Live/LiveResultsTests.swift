// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

struct MoveTests {
    static func rows(_ text: String, changed: String = "") -> [(key: Key, print: [UInt8])] {
        text.map { (Key([.string(String($0))]), changed.contains($0) ? [1] : [0]) }
    }

    static func key(_ text: String) -> Key { Key([.string(text)]) }

    @Test func `the fewest rows are told to have moved`() {
        #expect(
            RowDifference.between(Self.rows("abcd"), Self.rows("bcda")) == [.move(key: Self.key("a"), from: 0, to: 3)]
        )
        #expect(
            RowDifference.between(Self.rows("abcd"), Self.rows("dabc")) == [.move(key: Self.key("d"), from: 3, to: 0)]
        )
        #expect(RowDifference.between(Self.rows("abcd"), Self.rows("dcba")).count == 3)
        #expect(RowDifference.between(Self.rows("abcd"), Self.rows("abcd")).isEmpty)
    }

    @Test func `rows that come and go move no others, and a moved row that changed is told once`() {
        #expect(
            RowDifference.between(Self.rows("abcd"), Self.rows("xacdy")) == [
                .delete(key: Self.key("b"), index: 1), .insert(key: Self.key("x"), index: 0),
                .insert(key: Self.key("y"), index: 4),
            ]
        )
        #expect(
            RowDifference.between(Self.rows("abc"), Self.rows("bca", changed: "ac")) == [
                .update(key: Self.key("c"), index: 1), .move(key: Self.key("a"), from: 0, to: 2),
            ]
        )
    }

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
        _ = try await results.next()
        try await store.write { _ = try $0.update(Self.key("a"), ["Rank": .integer(9)], in: "Tags") }
        let moved = try #require(try await results.next())
        #expect(moved.differences == [.move(key: Self.key("a"), from: 0, to: 2)])
        #expect(moved.rows.map { $0["Code"] } == [.string("b"), .string("c"), .string("a")])
    }
}

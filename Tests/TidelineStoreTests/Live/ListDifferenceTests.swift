// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

struct ListDifferenceTests {
    private let shelf: ListShelf

    init() throws { shelf = try ListShelf() }

    /// The state whose rows stand in the order of a text; where one of its letters stands before decides its order.
    private func rows(_ text: String, looks changed: String = "", moved: String = "") -> [ListRow<Int>] {
        text.enumerated().map { place, letter in
            ListRow(
                key: Key([.string(String(letter))]),
                order: [.integer(moved.contains(letter) ? Int64(place) + 100 : 0)],
                print: changed.contains(letter) ? 1 : 0,
                row: nil
            )
        }
    }

    /// What makes of the one order the other, in words.
    private func words(_ old: String, _ new: String, looks changed: String = "", moved: String = "") throws -> [String]
    {
        let plan = try ListPlan<Int>(shelf.plan(), section: nil, layout: shelf.store.layout) { _, _, _ in 0 }
        var state = ListState(plan)
        _ = state.replace(with: rows(old))
        return state.replace(with: rows(new, looks: changed, moved: moved)).words
    }

    @Test func `a row that went to another place is told to have moved, and no other`() throws {
        #expect(try words("abcd", "bcda", moved: "a") == ["move a from 0.0 to 0.3"])
        #expect(try words("abcd", "dabc", moved: "d") == ["move d from 0.3 to 0.0"])
        #expect(try words("abcd", "dcba", moved: "abcd").count == 3)
        #expect(try words("abcd", "abcd").isEmpty)
        #expect(try words("abcd", "abcd", moved: "bc").isEmpty)
    }

    @Test func `rows that come and go move no others, and a moved row that changed is told once`() throws {
        #expect(
            try words("abcd", "xacdy") == ["delete b from 0.1", "insert x to 0.0", "insert y to 0.4"]
        )
        #expect(
            try words("abc", "bca", looks: "ac", moved: "a")
                == ["move a from 0.0 to 0.2", "update c from 0.2 to 0.1"]
        )
    }

    @Test func `rows whose order changed stay where they stand between the same rows`() throws {
        #expect(
            try words("abcde", "acbde", looks: "b", moved: "bc")
                == ["move c from 0.2 to 0.1", "update b from 0.1 to 0.2"]
        )
        #expect(
            try words("abcde", "abcde", looks: "bd", moved: "bcd") == [
                "update b from 0.1 to 0.1", "update d from 0.3 to 0.3",
            ]
        )
    }

    @Test func `the longest rising part is found`() {
        #expect(ListDifference.longestRising([]).isEmpty)
        #expect(ListDifference.longestRising([3, 1, 2, 0, 4]).sorted() == [1, 2, 4])
        #expect(ListDifference.longestRising([5, 4, 3]).count == 1)
    }
}

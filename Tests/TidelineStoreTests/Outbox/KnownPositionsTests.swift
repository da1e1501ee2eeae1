// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineStore

/// What transactions say that was known when they were made.
struct KnownPositionsTests {
    @Test func `what waits keeps what was known when it was made`() {
        var known = KnownPositions(nil)
        known.move(to: "p1", waiting: [])
        #expect(known.position(of: 7) == "p1")
        known.move(to: "p2", waiting: [7, 8])
        #expect([7, 8, 9].map(known.position) == ["p1", "p1", "p2"])
        // The 9 was made with p2: it counts as older as long as an older one waits.
        known.move(to: "p3", waiting: [8, 9])
        #expect([8, 9, 10].map(known.position) == ["p1", "p1", "p3"])
        known.move(to: "p4", waiting: [10])
        #expect([10, 11].map(known.position) == ["p3", "p4"])
        known.move(to: "p4", waiting: [])
        #expect([10, 11].map(known.position) == ["p4", "p4"])
    }

    @Test func `what was made before anything was known says nothing`() {
        var known = KnownPositions(nil)
        known.move(to: "p1", waiting: [1])
        #expect([1, 2].map(known.position) == [nil, "p1"])
        known.move(to: nil, waiting: [2])
        #expect([2, 3].map(known.position) == ["p1", nil])
    }

    @Test func `a transaction that gets another number takes along what was known`() {
        var known = KnownPositions("p2 8 p1")
        known.renumber([9], through: 12)
        #expect([8, 9, 12].map(known.position) == ["p1", "p2", "p2"])
        known.renumber([8, 9], through: 12)
        #expect([8, 12, 13].map(known.position) == ["p1", "p1", "p2"])
    }

    @Test(arguments: ["-", "p1", "p2 8 p1", "p2 8 -", "- 8 p1"])
    func `it is kept as text`(_ text: String) {
        #expect(KnownPositions(text).text == text)
    }
}

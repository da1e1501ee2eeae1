// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

struct CommitBroadcasterTests {
    private let broadcaster = CommitBroadcaster()

    private func touched(_ set: Int, _ ids: Int64...) -> TouchedRows {
        var touched = TouchedRows()
        for id in ids { touched.add(set, [.integer(id)]) }
        return touched
    }

    @Test(.covers("MD-I97"))
    func `fifty thousand commits are one piece of news for a reader that is busy`() async {
        let listener = broadcaster.listen(to: [0])
        for id in 0..<50_000 as Range<Int64> {
            broadcaster.announce(touched(0, id))
            broadcaster.committed()
        }
        #expect(await broadcaster.news(for: listener))
        // More keys than are worth keeping: the whole set.
        #expect(broadcaster.take(listener).sets == [0: .whole])
        #expect(broadcaster.take(listener).isEmpty)
    }

    @Test func `a listener hears of its own sets`() {
        let listener = broadcaster.listen(to: [0, 2])
        broadcaster.announce(touched(1, 5))
        broadcaster.committed()
        #expect(broadcaster.take(listener).isEmpty)
        broadcaster.announce(touched(2, 5))
        broadcaster.committed()
        broadcaster.tell(touched(2, 6))
        #expect(broadcaster.take(listener) == touched(2, 5, 6))
        #expect(broadcaster.isHeard([2]) && !broadcaster.isHeard([1]))
        broadcaster.forget(listener)
        #expect(!broadcaster.isHeard)
    }

    @Test func `what is announced is seen before it is committed, and told after`() {
        let listener = broadcaster.listen(to: [0])
        broadcaster.announce(touched(0, 1))
        #expect(broadcaster.take(listener).isEmpty)
        #expect(broadcaster.peek(listener) == touched(0, 1))
        broadcaster.abandoned()
        #expect(broadcaster.peek(listener).isEmpty)
        broadcaster.announce(touched(0, 2))
        broadcaster.committed()
        #expect(broadcaster.peek(listener) == touched(0, 2))
        #expect(broadcaster.take(listener) == touched(0, 2))
    }

    @Test func `who may not wait any more takes nobody's place, and ends nobody's waiting`() async {
        let listener = broadcaster.listen(to: [0])
        async let waits = broadcaster.news(for: listener)
        for _ in 0..<100 { await Task.yield() }
        #expect(await broadcaster.news(for: listener, where: { false }) == false)
        broadcaster.interrupt(listener, where: { false })
        broadcaster.tell(touched(0, 1))
        #expect(await waits)
    }

    @Test func `others are watched for while somebody listens`() {
        #expect(broadcaster.beginWatch())
        #expect(broadcaster.endWatch())
        let listener = broadcaster.listen(to: [0])
        #expect(broadcaster.beginWatch())
        #expect(!broadcaster.beginWatch())
        #expect(!broadcaster.endWatch())
        broadcaster.forget(listener)
        #expect(broadcaster.endWatch())
    }

    @Test func `few keys stay keys, many become the set`() {
        var rows = touched(0, 1, 2)
        rows.add(touched(0, 2, 3))
        #expect(rows == touched(0, 1, 2, 3))
        rows.add(0, (0..<1_000).map { Key([.integer($0 + 10)]) })
        #expect(rows.sets == [0: .whole])
        rows.add(touched(0, 4))
        #expect(rows.sets == [0: .whole])
        #expect(rows.within([1]).isEmpty)
        #expect(rows.touches([0, 1]) && !rows.touches([1]))
    }
}

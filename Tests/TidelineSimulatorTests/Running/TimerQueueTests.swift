// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineSimulator

struct TimerQueueTests {
    @Test func `the earliest comes first, of one moment the one added first`() {
        var queue = TimerQueue<String>()
        for (text, moment) in [("c", 3), ("a", 1), ("b", 2), ("a2", 1), ("d", 9)] {
            queue.add(text, at: SimulatedTime(nanoseconds: Int64(moment)))
        }
        #expect(queue.remove { $0 == "b" } == ["b"])
        var order: [String] = []
        while let next = queue.next() { order.append(next.element) }
        #expect(order == ["a", "a2", "c", "d"])
    }
}

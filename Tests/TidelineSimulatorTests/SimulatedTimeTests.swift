// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineSimulator

struct SimulatedTimeTests {
    @Test func `a moment later is as much later as was asked`() {
        let later = SimulatedTime.start.advanced(by: .milliseconds(1500))
        #expect(later.nanoseconds == 1_500_000_000)
        #expect(SimulatedTime.start < later)
    }

    @Test func `a wait without end stays within what can be counted`() {
        #expect(SimulatedTime.start.advanced(by: .seconds(Int64.max)).nanoseconds == .max)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineSimulator
import TidelineTestSupport

/// Without chance: two devices with two rows, and every order of what may happen.
@Suite(.ownThread)
struct SmallSearchTests {
    @Test func `every order of one write, messages and one fault comes to rest with nothing lost`() async throws {
        var search = try SmallSearch(writes: 1, faults: 1)
        let report = try await search.run()
        #expect(report.violations == [])
        #expect(report.isComplete)
        #expect(report.states > 10_000)
        #expect(report.settled > 500)
        #expect(report.runs < 1000)
    }
}

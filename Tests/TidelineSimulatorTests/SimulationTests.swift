// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineTestSupport

@testable import TidelineSimulator

/// Runs of the whole machine; a seed gives the same run again: `TIDELINE_SEEDS=17..<18`.
struct SimulationTests {
    @Test func `no invariant is violated`() throws {
        for seed in Seeds.chosen(or: 1..<11) {
            let outcome = try Simulation(seed: seed).run()
            #expect(outcome.violations == [], "seed \(seed)\n\(MessageChart(outcome).text)")
        }
    }

    @Test func `the same seed gives the same run`() throws {
        let one = try Simulation(seed: 3).run()
        let other = try Simulation(seed: 3).run()
        #expect(one.hash == other.hash)
        #expect(one == other)
    }
}

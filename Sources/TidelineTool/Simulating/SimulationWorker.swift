// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineSimulator

/// Runs seeds one after another and writes a line of JSON for each: a part of a campaign, in a process of its own.
struct SimulationWorker {
    let profile: Profile

    func run(from first: UInt64, count: Int) throws {
        for seed in first..<first + UInt64(count) {
            let outcome = try Simulation(seed: seed, profile: profile).run()
            StandardStream.output.write(RunReport(outcome).line + "\n")
        }
    }
}

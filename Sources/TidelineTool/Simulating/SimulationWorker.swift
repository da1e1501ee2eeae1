// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineSimulator

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs the seeds that come on standard input, a line each, and answers each with a line of JSON: a process of a campaign.
struct SimulationWorker {
    let profile: Profile

    func run() throws {
        // Born of a campaign that takes it for itself.
        _ = signal(SIGTERM, SIG_DFL)
        while let line = readLine() {
            guard let seed = UInt64(line) else { throw CommandFailure("A process of a campaign takes seeds.") }
            let outcome = try Simulation(seed: seed, profile: profile).run()
            StandardStream.output.write(RunReport(outcome).line + "\n")
        }
    }
}

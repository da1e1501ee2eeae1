// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineSimulator

/// T16: runs of the simulator on one core, each of five devices and some two hundred transactions.
enum SimulatedRuns {
    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        // The size is the number of runs, a hundred at most.
        let count = max(3, min(rows / 1000, 100))
        var (transactions, events) = (0, 0)
        let seconds = try Measuring.processorSeconds {
            for seed in 1...UInt64(count) {
                let outcome = try Simulation(seed: seed, profile: .measured).run()
                transactions += outcome.statistics.transactions
                events += outcome.statistics.events
            }
        }
        return [
            Figure(
                what: "runs of \(transactions / count) transactions and \(events / count) events",
                rows: count,
                seconds: seconds,
                limitName: "target",
                limitSeconds: Double(count) / 10,
                isRate: true,
                bound: 1,
                peakMegabytes: Measuring.peakMegabytes
            )
        ]
    }
}

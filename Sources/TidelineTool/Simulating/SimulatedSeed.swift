// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineSimulator

/// One seed for a person to look at.
struct SimulatedSeed {
    let seed: UInt64
    let profile: Profile

    /// Runs the seed; when it fails, tells the shortest course of events that fails so too.
    func show() throws {
        let simulation = Simulation(seed: seed, profile: profile)
        let outcome = try simulation.run()
        guard let violation = outcome.violations.first else {
            let again = try simulation.run()
            guard again.hash == outcome.hash else {
                throw CommandFailure("Seed \(seed) is not the same twice.", why: "\(outcome.hash), then \(again.hash).")
            }
            let numbers = outcome.statistics
            StandardStream.output.write(
                "Seed \(seed): no violation in \(PlainText.count(numbers.transactions, "transaction")), "
                    + "\(PlainText.count(numbers.exchanges, "exchange")) and \(PlainText.count(numbers.faults, "fault")); "
                    + "trace \(outcome.hash).\n"
            )
            return
        }
        let least = try Minimizer(simulation, violating: violation.number).run()
        StandardStream.output.write(MessageChart(try least.run()).text + "\n")
        throw CommandFailure(
            "Seed \(seed) violates \(violation.number).",
            why: violation.message,
            next: "Run it again: tideline simulate --seed \(seed) --profile \(profile.name)"
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineTestSupport

@testable import TidelineSimulator

/// What must make no difference makes none: `TIDELINE_SEEDS=17..<18` runs one seed.
@Suite(.ownThread)
struct MetamorphicTests {
    private static let variants: [(name: String, change: @Sendable (Schedule) -> Schedule)] = [
        ("pages of two rows", { $0.with(pageRows: 2) }),
        ("pages of all rows", { $0.with(pageRows: 5_000) }),
        ("each request twice", { $0.with(deliveries: 2) }),
        ("each sync twice", \.withSyncsDoubled),
        ("a cut log", \.withLogCut),
    ]

    @Test func `pages, repeated requests, more syncs and a cut log end with the same rows`() throws {
        for seed in Seeds.chosen(or: 1..<3) {
            var simulation = Simulation(seed: seed)
            simulation.schedule = simulation.schedule.still
            let plain = try simulation.run()
            #expect(plain.violations == [], "seed \(seed)")
            #expect(!plain.rows.isEmpty, "seed \(seed)")
            for (name, change) in Self.variants {
                var other = simulation
                other.schedule = change(simulation.schedule)
                let outcome = try other.run()
                #expect(outcome.violations == [], "seed \(seed), \(name)")
                #expect(outcome.rows == plain.rows, "seed \(seed), \(name)")
            }
        }
    }
}

extension Schedule {
    fileprivate func with(pageRows: Int? = nil, deliveries: Int? = nil) -> Schedule {
        var other = self
        if let pageRows { other.pageRows = pageRows }
        if let deliveries { other.deliveries = deliveries }
        return other
    }
}

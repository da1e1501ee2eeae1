// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Leaves out of a failing run whatever it fails without.
///
/// Source: Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input (2002), the algorithm ddmin, which
/// here removes ever smaller parts of the schedule.
package struct Minimizer {
    /// The failing run.
    package let simulation: Simulation
    /// The number of the invariant that must stay violated.
    package let number: String

    package init(_ simulation: Simulation, violating number: String) {
        self.simulation = simulation
        self.number = number
    }

    /// The shortest schedule that was found.
    ///
    /// - Parameter limit: the most runs to try.
    package func run(limit: Int = 400) throws -> Simulation {
        var best = simulation
        var left = limit
        var size = max(best.schedule.events.count / 2, 1)
        while left > 0 {
            var isShorter = false
            var place = 0
            while place < best.schedule.events.count, left > 0 {
                left -= 1
                var shorter = best
                shorter.schedule.events.removeSubrange(place..<min(place + size, best.schedule.events.count))
                if try fails(shorter) {
                    best = shorter
                    isShorter = true
                } else {
                    place += size
                }
            }
            if size > 1 { size /= 2 } else if !isShorter { break }
        }
        return best
    }

    private func fails(_ simulation: Simulation) throws -> Bool {
        try simulation.run().violations.contains { $0.number == number }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineModel
import TidelineStorage

/// One run: devices, a service, a network and time in one thread, decided by a seed.
///
///     let outcome = try Simulation(seed: 17).run()
///     outcome.violations      // empty
package struct Simulation: Sendable {
    package let seed: UInt64
    /// What happens; parts of it may be left out before the run.
    package var schedule: Schedule

    package init(seed: UInt64, profile: Profile = .usual) {
        self.seed = seed
        schedule = Schedule(seed: seed, profile: profile)
    }

    /// Runs to the end and checks what is seen on the way.
    ///
    /// Blocks the thread; nothing of it runs on another.
    ///
    /// - Throws: what keeps a run from being made, such as a full disk. What goes wrong inside is a violation.
    package func run() throws -> Outcome {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let world = try World(seed: seed, schedule: schedule, folder: folder.path)
        let course = Course(world: world, schedule: schedule)
        world.loop.start { await course.run() }
        world.loop.run()
        if !course.isFinished { world.violate("V15", "something waits for ever, and nobody will wake it") }
        world.end()
        world.statistics.events = world.trace.lines.count
        return Outcome(
            seed: seed,
            hash: world.trace.hash,
            statistics: world.statistics,
            violations: world.violations,
            trace: world.trace.lines,
            rows: world.last.map { end in
                zip(world.service.model.sets, end.sets).flatMap { set, rows in
                    rows.values.map { "\(set.names.wire) \(RowText.text($0))" }.sorted()
                }
            } ?? []
        )
    }
}

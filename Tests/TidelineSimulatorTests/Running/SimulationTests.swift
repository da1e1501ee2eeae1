// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

@testable import TidelineSimulator

/// Runs of the whole machine; a seed gives the same run again: `TIDELINE_SEEDS=17..<18`.
///
/// The order of sets differs from process to process here; `tideline simulate` fixes it.
@Suite(.ownThread)
struct SimulationTests {
    /// The runs that once failed.
    private static var corpus: [Simulation] {
        get throws {
            let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            let text = try String(contentsOf: path.appendingPathComponent("FailedSeeds.txt"), encoding: .utf8)
            return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
                let words = line.split(separator: " ")
                let profile = try #require(Profile.named(String(words[0])), "\(line)")
                return Simulation(seed: try #require(UInt64(words[1]), "\(line)"), profile: profile)
            }
        }
    }

    @Test func `no invariant is violated, whatever the seed`() throws {
        for simulation in try SimulationTests.corpus + Seeds.chosen(or: 6..<9).map({ Simulation(seed: $0) }) {
            let outcome = try simulation.run()
            #expect(outcome.violations == [], "seed \(simulation.seed)\n\(MessageChart(outcome).text)")
        }
    }

    @Test func `the same seed gives the same run`() throws {
        let one = try Simulation(seed: 3).run()
        let other = try Simulation(seed: 3).run()
        #expect(one.hash == other.hash)
        #expect(one == other)
    }

    @Test func `what is left out of a schedule does not change what the rest does`() throws {
        var simulation = Simulation(seed: 5)
        let whole = simulation.schedule.events
        simulation.schedule.events.removeAll { $0.number % 2 == 0 }
        #expect(simulation.schedule.events == whole.filter { $0.number % 2 == 1 })
        #expect(try simulation.run().violations == [])
    }

    @Test func `a set that cannot be read is told by each sync until it can be, and the others come`() throws {
        var simulation = Simulation(seed: 1)
        simulation.schedule = simulation.schedule.still
        func event(_ number: Int, _ kind: ScheduledEvent.Kind) -> ScheduledEvent {
            ScheduledEvent(number: number, time: .start.advanced(by: .seconds(60 * number)), kind: kind)
        }
        simulation.schedule.events =
            (1...12).map { event($0, .direct) } + [
                event(13, .breakSet(place: 0, pause: .seconds(90))), event(14, .sync(device: 0)),
                event(17, .sync(device: 0)),
            ]
        let outcome = try simulation.run()
        #expect(outcome.violations == [])
        #expect(outcome.statistics.brokenSets == 1)
        let lines = outcome.trace.map(\.text)
        let begin = try #require(lines.firstIndex { $0.hasPrefix("cannot read ") })
        let set = lines[begin].dropFirst("cannot read ".count)
        let failed = try #require(lines.firstIndex { $0.hasPrefix("sync failed: serverFailure 500") })
        let end = try #require(lines.firstIndex(of: "can read \(set)"))
        let synced = try #require(lines.firstIndex { $0.hasPrefix("synced: ") })
        #expect(begin < failed && failed < end && end < synced)
    }
}

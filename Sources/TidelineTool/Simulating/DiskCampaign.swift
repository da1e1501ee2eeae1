// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineSimulator

/// Scenarios with a fault at each operation of the disks: all points with one fault, then with the next.
struct DiskCampaign {
    /// How many plays there are between two savings of the ledger.
    private static let share = 50

    var ledger: DiskLedger
    /// Where the ledger is kept; `nil` for nowhere.
    let path: String?
    let scenarios: [Scenario]
    private let progress = ProgressLine()

    init(ledger: DiskLedger, path: String?, scenarios: [Scenario]) {
        self.ledger = ledger
        self.path = path
        self.scenarios = scenarios
    }

    /// Plays all that the ledger does not have yet, or until the end has come.
    ///
    /// - Throws: `CommandFailure` when something was wrong, also in what was played earlier, and when the end was
    ///   asked for.
    mutating func run(until end: CampaignEnd) async throws {
        for round in 1...FaultKind.allCases.count {
            for scenario in scenarios where !end.isReached {
                try await play(scenario, rounds: round, until: end)
            }
        }
        progress.finish()
        for (name, entry) in ledger.entries.sorted(by: { $0.key < $1.key }) { tell(name, entry) }
        tell(PlainText.count(ledger.entries.count, "scenario"), ledger.total)
        if let first = ledger.total.violations.first {
            throw CommandFailure(
                "Not all plays hold.",
                why: first,
                next: "Look at one: tideline simulate --disk --scenario NAME --point NUMBER"
            )
        }
        let isDone = scenarios.allSatisfy { ledger.entries[$0.name].map { $0.plays >= $0.allPlays } ?? false }
        guard end.isRequested, !isDone else { return }
        throw CommandFailure(
            "Not all scenarios were played.",
            why: "The simulation was asked to end.",
            next: path.map { "Go on with the same command: what was played is in \($0)." }
        )
    }

    /// Plays each point of a scenario with so many faults.
    private mutating func play(_ scenario: Scenario, rounds: Int, until end: CampaignEnd) async throws {
        let enumeration = try await FaultEnumeration(scenario)
        let points = enumeration.points.count
        let entry = ledger.begin(scenario.name, points: points)
        for number in entry.plays..<max(rounds * points, entry.plays) where !end.isReached {
            progress.show(scenario.name, done: number, of: rounds * points, unit: "plays")
            let violations = try await enumeration.play(number: number)
            for violation in violations { StandardStream.output.write(violation + "\n") }
            ledger.add(scenario.name, violations: violations)
            if number % Self.share == 0 { try save() }
        }
        try save()
    }

    /// Plays one point with each fault, for a person to look at.
    static func show(_ number: Int, of scenario: Scenario) async throws {
        let enumeration = try await FaultEnumeration(scenario)
        guard let point = enumeration.points.first(where: { $0.number == number }) else {
            throw CommandFailure("'\(scenario.name)' has the points 1 to \(enumeration.points.count).")
        }
        StandardStream.output.write("Point \(number) of '\(scenario.name)' is \(point).\n")
        var failed = 0
        for kind in FaultKind.allCases {
            let violations = try await enumeration.play(kind, at: point)
            if violations.isEmpty { StandardStream.output.write("\(kind.rawValue): holds\n") } else { failed += 1 }
            for violation in violations { StandardStream.output.write(violation + "\n") }
        }
        if failed > 0 { throw CommandFailure("\(failed) of \(FaultKind.allCases.count) plays do not hold.") }
    }

    private func save() throws {
        if let path { try LedgerFile(path: path).write { try ledger.save(path: $0) } }
    }

    private func tell(_ name: String, _ entry: DiskLedger.Entry) {
        let plays = PlainText.count(entry.allPlays, "play")
        let played = entry.plays == entry.allPlays ? plays : "\(ProgressLine.grouped(entry.plays)) of \(plays)"
        let failed = PlainText.count(entry.violations.count, "violation")
        StandardStream.output.write("\(name): \(PlainText.count(entry.points, "point")), \(played), \(failed)\n")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a campaign of disk faults has played so far, in a file: a later one goes on behind it.
package struct DiskLedger: Hashable, Sendable, Codable {
    /// How far one scenario is: each of its points is played once with each fault.
    package struct Entry: Hashable, Sendable, Codable {
        /// How many points the scenario has.
        package var points: Int
        /// How many plays are done, in the order of ``FaultEnumeration/play(number:)``.
        package var plays = 0
        /// What was wrong, a sentence each.
        package var violations: [String] = []

        package init(points: Int) { self.points = points }

        /// The plays that there are.
        package var allPlays: Int { points * FaultKind.allCases.count }
    }

    /// By the name of the scenario.
    package private(set) var entries: [String: Entry] = [:]

    package init() {}

    /// Reads a ledger; `nil` where there is no file.
    ///
    /// - Throws: for a file that is no ledger.
    package init?(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self = try JSONDecoder().decode(DiskLedger.self, from: data)
    }

    /// Makes room for a scenario; one that has other points than it had is played anew.
    package mutating func begin(_ name: String, points: Int) -> Entry {
        if let entry = entries[name], entry.points == points { return entry }
        let entry = Entry(points: points)
        entries[name] = entry
        return entry
    }

    /// Takes in what came of the next play of a scenario.
    package mutating func add(_ name: String, violations: [String]) {
        entries[name]?.plays += 1
        entries[name]?.violations += violations
    }

    /// All scenarios together.
    package var total: Entry {
        entries.values.reduce(into: Entry(points: 0)) { total, entry in
            total.points += entry.points
            total.plays += entry.plays
            total.violations += entry.violations
        }
    }

    /// Writes the file, complete or not at all.
    package func save(path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}

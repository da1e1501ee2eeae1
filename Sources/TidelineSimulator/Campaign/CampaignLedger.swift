// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a campaign has run so far, in a file: later runs go on after its last seed and add up.
package struct CampaignLedger: Hashable, Sendable, Codable {
    /// The name of the profile that all runs have.
    package var profile: String
    /// The seed to go on with.
    package var next: UInt64
    /// Different seeds that were run.
    package var runs = 0
    /// The seeds that failed, in order.
    package var failed: [UInt64] = []
    package var statistics = Statistics()

    package init(profile: String, next: UInt64 = 1) {
        self.profile = profile
        self.next = next
    }

    /// Reads a ledger; `nil` where there is no file.
    ///
    /// - Throws: for a file that is no ledger.
    package init?(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self = try JSONDecoder().decode(CampaignLedger.self, from: data)
    }

    /// Takes in what one run told.
    package mutating func add(_ report: RunReport) {
        runs += 1
        statistics += report.statistics
        if !report.violations.isEmpty { failed.append(report.seed) }
    }

    /// Writes the file, complete or not at all.
    package func save(path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}

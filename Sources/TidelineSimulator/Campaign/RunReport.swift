// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What one run tells the campaign that it is part of, one line of JSON.
package struct RunReport: Hashable, Sendable, Codable {
    package var seed: UInt64
    package var hash: String
    package var statistics: Statistics
    /// The violations as sentences.
    package var violations: [String]

    package init(_ outcome: Outcome) {
        seed = outcome.seed
        hash = outcome.hash
        statistics = outcome.statistics
        violations = outcome.violations.map(\.description)
    }

    /// A run that ended the process.
    package init(crashed seed: UInt64, _ message: String) {
        self.seed = seed
        hash = ""
        statistics = Statistics()
        violations = [message]
    }

    /// The report of a line, or `nil` when it is none.
    package init?(line: String) {
        guard let report = try? JSONDecoder().decode(RunReport.self, from: Data(line.utf8)) else { return nil }
        self = report
    }

    package var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

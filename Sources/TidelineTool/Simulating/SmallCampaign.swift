// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineSimulator

/// A search through all that two devices can do with two rows.
struct SmallCampaign {
    let writes: Int
    let faults: Int
    let minutes: Int?

    /// - Throws: `CommandFailure` when something was wrong.
    func run() async throws {
        let start = Date()
        let end = minutes.map { start.addingTimeInterval(Double($0) * 60) }
        var search = try SmallSearch(writes: writes, faults: faults) { end.map { Date() >= $0 } ?? false }
        let report = try await search.run()
        for violation in report.violations { StandardStream.output.write(violation + "\n\n") }
        let extent = report.isComplete ? "all there are" : "not all"
        let seconds = Int(Date().timeIntervalSince(start).rounded())
        StandardStream.output.write(
            """
            \(writes) writes and \(faults) faults at most: \(report.states) states (\(extent)), \(report.steps) steps, \
            \(report.settled) followed to their rest; \(report.deviceContents) contents of devices and \
            \(report.serviceContents) of the service; \(report.runs) runs of devices, \(report.answers) requests; \
            \(seconds) s; \(report.violations.count) violations.

            """
        )
        guard !report.violations.isEmpty else { return }
        throw CommandFailure("Not all states hold.", why: "\(report.violations.count) violations.")
    }
}

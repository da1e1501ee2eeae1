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
        let violations = PlainText.count(report.violations.count, "violation")
        let seconds = Int(Date().timeIntervalSince(start).rounded())
        StandardStream.output.write(
            """
            \(PlainText.count(writes, "write")) and \(PlainText.count(faults, "fault")) at most: \
            \(PlainText.count(report.states, "state")) (\(extent)), \(PlainText.count(report.steps, "step")), \
            \(report.settled) followed to their rest; \(PlainText.count(report.deviceContents, "content")) of devices \
            and \(report.serviceContents) of the service; \(PlainText.count(report.runs, "run")) of devices, \
            \(PlainText.count(report.answers, "request")); \(seconds) s; \(violations).

            """
        )
        guard !report.violations.isEmpty else { return }
        throw CommandFailure("Not all states hold.", why: violations + ".")
    }
}

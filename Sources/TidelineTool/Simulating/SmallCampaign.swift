// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineSimulator

/// A search through all that two devices can do with two rows.
struct SmallCampaign {
    let writes: Int
    let faults: Int

    /// Searches until all is seen or the end has come, and tells what came of it.
    ///
    /// - Throws: `CommandFailure` when something was wrong, and when the end was asked for.
    func run(until end: CampaignEnd) async throws {
        let start = Date()
        let progress = ProgressLine()
        var search = try SmallSearch(writes: writes, faults: faults) { states in
            progress.show("Searching", done: states, unit: "states")
            return end.isReached
        }
        let report = try await search.run()
        progress.finish()
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
        if !report.violations.isEmpty { throw CommandFailure("Not all states hold.", why: violations + ".") }
        if end.isRequested, !report.isComplete {
            throw CommandFailure("Not all states were seen.", why: "The search was asked to end.")
        }
    }
}

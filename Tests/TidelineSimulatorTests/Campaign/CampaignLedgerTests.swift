// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineSimulator

struct CampaignLedgerTests {
    private func outcome(_ seed: UInt64, _ violations: [Violation]) -> Outcome {
        var statistics = Statistics()
        statistics.transactions = 3
        return Outcome(seed: seed, hash: "", statistics: statistics, violations: violations, trace: [], rows: [])
    }

    @Test func `what was run adds up over several campaigns`() throws {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let path = folder.path + "/ledger.json"
        #expect(try CampaignLedger(path: path) == nil)
        var ledger = CampaignLedger(profile: "usual")
        ledger.add(RunReport(outcome(1, [])))
        try ledger.save(path: path)
        var later = try #require(try CampaignLedger(path: path))
        later.add(RunReport(outcome(2, [Violation("V3", "twice", at: .start)])))
        #expect(later.runs == 2)
        #expect(later.failed == [2])
        #expect(later.statistics.transactions == 6)
    }

    @Test func `a report crosses to another process as a line`() {
        let report = RunReport(outcome(4, [Violation("V7", "\"differs\"", at: .start)]))
        #expect(!report.line.contains("\n"))
        #expect(RunReport(line: report.line) == report)
        #expect(report.violations == ["V7 at 0.000: \"differs\""])
        #expect(RunReport(line: "noise") == nil)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineSimulator

/// Many seeds in several processes; what they tell is added up.
struct SimulationCampaign {
    /// The seeds that one process is given at a time.
    private static let share = 25

    var ledger: CampaignLedger
    /// Where the ledger is kept; `nil` for nowhere.
    let path: String?
    /// The seeds to run in all, or `nil` for as many as there is time for.
    let seeds: Int?
    let minutes: Int?
    let jobs: Int

    /// Runs until all seeds are done or the time is over.
    ///
    /// - Throws: `CommandFailure` when a seed failed.
    mutating func run() throws {
        let end = minutes.map { Date(timeIntervalSinceNow: Double($0) * 60) }
        let failedBefore = ledger.failed.count
        let runsBefore = ledger.runs
        let begin = Date()
        while ledger.runs - runsBefore < seeds ?? .max, end.map({ Date() < $0 }) ?? true {
            try round(left: seeds.map { $0 - (ledger.runs - runsBefore) } ?? .max)
            if let path { try ledger.save(path: path) }
        }
        let seconds = Date().timeIntervalSince(begin)
        let numbers = ledger.statistics
        StandardStream.output.write(
            """
            \(ledger.runs - runsBefore) seeds in \(Int(seconds)) s; in all \(ledger.runs) seeds, \
            \(numbers.transactions) transactions, \(numbers.exchanges) exchanges, \(numbers.faults) faults, \
            \(numbers.kills) kills, \(numbers.restores) restores, \(numbers.copies) copied files, \
            \(numbers.compactions) cut logs, \(numbers.suspensions) devices off for days, \
            \(numbers.clockJumps) clocks that jumped, \(ledger.failed.count) failed. The next seed is \(ledger.next).

            """
        )
        let failed = ledger.failed.dropFirst(failedBefore)
        guard let first = failed.first else { return }
        throw CommandFailure(
            "\(failed.count) of the seeds failed.",
            why: "Seeds \(failed.map(String.init).joined(separator: ", ")).",
            next: "Look at one: tideline simulate --seed \(first) --profile \(ledger.profile)"
        )
    }

    /// One share of seeds for each process.
    private mutating func round(left: Int) throws {
        var workers: [(first: UInt64, count: Int, process: WorkerProcess)] = []
        var left = left
        while workers.count < jobs, left > 0 {
            let count = min(Self.share, left)
            left -= count
            workers.append((ledger.next, count, try WorkerProcess(ledger.profile, ledger.next, count)))
            ledger.next += UInt64(count)
        }
        for worker in workers {
            let reports = worker.process.reports()
            for report in reports { add(report) }
            guard reports.count < worker.count else { continue }
            let seed = worker.first + UInt64(reports.count)
            add(RunReport(crashed: seed, "the process ended with status \(worker.process.status)"))
            // What came after it is run by another process.
            let rest = worker.count - reports.count - 1
            if rest > 0 { for report in try WorkerProcess(ledger.profile, seed + 1, rest).reports() { add(report) } }
        }
    }

    private mutating func add(_ report: RunReport) {
        ledger.add(report)
        guard let violation = report.violations.first else { return }
        StandardStream.output.write("seed \(report.seed): \(violation)\n")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineSimulator

/// Many seeds in several processes; what they tell is added up.
struct SimulationCampaign {
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
        let shares = SeedShares(ledger, path: path, count: seeds ?? .max, jobs: jobs, end: end)
        let group = DispatchGroup()
        let profile = ledger.profile
        for _ in 0..<jobs {
            group.enter()
            // A thread for each, as it waits for its process.
            Thread {
                defer { group.leave() }
                while let share = shares.take() {
                    do { shares.give(try Self.reports(share, profile), of: share) } catch { shares.fail(error) }
                }
            }.start()
        }
        group.wait()
        ledger = try shares.sum()
        let seconds = Date().timeIntervalSince(begin)
        StandardStream.output.write(
            """
            \(PlainText.count(ledger.runs - runsBefore, "seed")) in \(Int(seconds)) s; in all \
            \(Self.counted(ledger)), \(ledger.failed.count) failed. The next seed is \(ledger.next).

            """
        )
        let failed = ledger.failed.dropFirst(failedBefore)
        guard let first = failed.first else { return }
        throw CommandFailure(
            "\(PlainText.count(failed.count, "seed")) failed.",
            why: "By number: \(failed.map(String.init).joined(separator: ", ")).",
            next: "Look at one: tideline simulate --seed \(first) --profile \(ledger.profile)"
        )
    }

    /// The seeds that were run, and what happened in them.
    private static func counted(_ ledger: CampaignLedger) -> String {
        let numbers = ledger.statistics
        return [
            PlainText.count(ledger.runs, "seed"), PlainText.count(numbers.transactions, "transaction"),
            PlainText.count(numbers.exchanges, "exchange"), PlainText.count(numbers.faults, "fault"),
            PlainText.count(numbers.kills, "kill"), PlainText.count(numbers.restores, "restore"),
            PlainText.count(numbers.copies, "copied file"), PlainText.count(numbers.publications, "new publication"),
            PlainText.count(numbers.moves, "move") + " to another address",
            PlainText.count(numbers.compactions, "cut log"),
            PlainText.count(numbers.brokenSets, "set") + " that could not be read",
            PlainText.count(numbers.suspensions, "device") + " off for days",
            PlainText.count(numbers.clockJumps, "clock") + " that jumped",
        ].joined(separator: ", ")
    }

    /// Runs a share in a process of its own, and what comes after a seed that ends the process in another one.
    private static func reports(_ share: SeedShares.Share, _ profile: String) throws -> [RunReport] {
        var reports: [RunReport] = []
        while reports.count < share.count {
            let next = share.first + UInt64(reports.count)
            let process = try WorkerProcess(profile, next, share.count - reports.count)
            reports += process.reports()
            guard reports.count < share.count else { break }
            let seed = share.first + UInt64(reports.count)
            reports.append(RunReport(crashed: seed, "the process ended with status \(process.status)"))
        }
        return reports
    }
}

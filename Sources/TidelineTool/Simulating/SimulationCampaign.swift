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
    let jobs: Int

    /// Runs until all seeds are done or the end has come, and tells what came of it.
    ///
    /// - Throws: `CommandFailure` when a seed failed, and when the end was asked for.
    mutating func run(until end: CampaignEnd) async throws {
        let failedBefore = ledger.failed.count
        let runsBefore = ledger.runs
        let begin = Date()
        let queue = SeedQueue(ledger, path: path, count: seeds, end: end)
        await runAll(of: queue)
        ledger = try queue.sum()
        let seconds = Date().timeIntervalSince(begin)
        let runs = ledger.runs - runsBefore
        StandardStream.output.write(
            """
            \(PlainText.count(runs, "seed")) in \(Int(seconds)) s; in all \
            \(Self.counted(ledger)), \(ledger.failed.count) failed. The next seed is \(ledger.next).

            """
        )
        let failed = ledger.failed.dropFirst(failedBefore)
        if let first = failed.first {
            throw CommandFailure(
                "\(PlainText.count(failed.count, "seed")) failed.",
                why: "By number: \(failed.map(String.init).joined(separator: ", ")).",
                next: "Look at one: tideline simulate --seed \(first) --profile \(ledger.profile)"
            )
        }
        guard end.isRequested, runs < seeds ?? .max else { return }
        let rest = seeds.map { " --seeds \($0 - runs)" } ?? ""
        throw CommandFailure(
            "Not all seeds were run.",
            why: "The simulation was asked to end.",
            next: "Go on: tideline simulate --seed \(ledger.next)\(rest), with the other options as they were."
        )
    }

    /// Runs the seeds of a queue in processes, with a thread for each that waits for it.
    private func runAll(of queue: SeedQueue) async {
        let profile = ledger.profile
        await withTaskGroup { group in
            for _ in 0..<jobs {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread {
                            do { try Self.run(queue, profile) } catch { queue.fail(error) }
                            continuation.resume()
                        }.start()
                    }
                }
            }
        }
    }

    /// Runs seeds in a process until there are no more; what comes after a seed that ends the process in another one.
    private static func run(_ queue: SeedQueue, _ profile: String) throws {
        var process: WorkerProcess?
        while let seed = queue.take() {
            let worker = try process ?? WorkerProcess(profile)
            process = worker
            if let report = worker.report(of: seed) {
                queue.give(report)
            } else {
                process = nil
                queue.give(RunReport(crashed: seed, "the process ended with status \(worker.end())"))
            }
        }
        process?.end()
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
}

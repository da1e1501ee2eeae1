// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineSimulator

/// The seeds of a campaign: handed out to processes as they get free, and added up in their order.
final class SeedQueue: Sendable {
    private struct State {
        var ledger: CampaignLedger
        /// The first seed that nobody has.
        var next: UInt64
        /// How many are still to be handed out.
        var left: Int
        /// What was told of seeds behind one that still runs.
        var early: [UInt64: RunReport] = [:]
        var failure: (any Error)?
    }

    private let state: Mutex<State>
    private let path: String?
    private let end: CampaignEnd
    private let before: Int
    private let count: Int?
    private let progress = ProgressLine()

    /// - Parameters:
    ///   - ledger: what was run before.
    ///   - path: where the ledger is kept, or `nil` for nowhere.
    ///   - count: how many seeds there are, or `nil` for no end.
    ///   - end: when no seed is handed out any more.
    init(_ ledger: CampaignLedger, path: String?, count: Int?, end: CampaignEnd) {
        state = Mutex(State(ledger: ledger, next: ledger.next, left: count ?? .max))
        (self.path, self.count, self.end) = (path, count, end)
        before = ledger.runs
    }

    /// The next seed, or `nil` when there is no more to do.
    func take() -> UInt64? {
        state.withLock { state in
            guard state.left > 0, state.failure == nil, !end.isReached else { return nil }
            defer { (state.next, state.left) = (state.next + 1, state.left - 1) }
            return state.next
        }
    }

    /// Takes what a seed told, and adds up all before which nothing is missing.
    func give(_ report: RunReport) {
        state.withLock { state in
            state.early[report.seed] = report
            while let report = state.early.removeValue(forKey: state.ledger.next) {
                state.ledger.next += 1
                state.ledger.add(report)
                guard let violation = report.violations.first else { continue }
                StandardStream.output.write("seed \(report.seed): \(violation)\n")
            }
            progress.show("Simulating", done: state.ledger.runs - before, of: count, unit: "seeds")
            guard let path else { return }
            do { try LedgerFile(path: path).write { try state.ledger.save(path: $0) } } catch { state.failure = error }
        }
    }

    /// Ends the campaign early.
    func fail(_ error: any Error) { state.withLock { $0.failure = $0.failure ?? error } }

    /// The ledger with all that was run.
    ///
    /// - Throws: what ended the campaign early.
    func sum() throws -> CampaignLedger {
        progress.finish()
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.ledger
        }
    }
}

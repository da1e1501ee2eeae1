// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TidelineSimulator

/// The seeds of a campaign in shares: handed out to processes as they get free, and added up in their order.
final class SeedShares: Sendable {
    /// Seeds that one process runs.
    struct Share: Hashable {
        var first: UInt64
        var count: Int
    }

    /// The most seeds of a share: what a campaign that is ended loses of each process.
    private static let most = 25
    /// The least, for the last shares: so that no process waits long for the others.
    private static let least = 5

    private struct State {
        var ledger: CampaignLedger
        /// The first seed that nobody has.
        var next: UInt64
        /// How many are still to be handed out.
        var left: Int
        /// What was told of shares behind one that still runs, by the first seed.
        var early: [UInt64: (share: Share, reports: [RunReport])] = [:]
        var failure: (any Error)?
    }

    private let state: Mutex<State>
    private let path: String?
    private let end: Date?
    private let jobs: Int

    /// - Parameters:
    ///   - ledger: what was run before.
    ///   - path: where the ledger is kept, or `nil` for nowhere.
    ///   - count: how many seeds there are.
    ///   - end: no share is handed out after it.
    init(_ ledger: CampaignLedger, path: String?, count: Int, jobs: Int, end: Date?) {
        state = Mutex(State(ledger: ledger, next: ledger.next, left: count))
        (self.path, self.jobs, self.end) = (path, jobs, end)
    }

    /// The next share, or `nil` when there is no more to do.
    func take() -> Share? {
        state.withLock { state in
            guard state.left > 0, state.failure == nil, end.map({ Date() < $0 }) ?? true else { return nil }
            let count = min(state.left, max(Self.least, min(Self.most, state.left / (2 * jobs))))
            defer { (state.next, state.left) = (state.next + UInt64(count), state.left - count) }
            return Share(first: state.next, count: count)
        }
    }

    /// Takes what a share told, and adds up all before which nothing is missing.
    func give(_ reports: [RunReport], of share: Share) {
        state.withLock { state in
            state.early[share.first] = (share, reports)
            while let (share, reports) = state.early.removeValue(forKey: state.ledger.next) {
                state.ledger.next += UInt64(share.count)
                for report in reports {
                    state.ledger.add(report)
                    guard let violation = report.violations.first else { continue }
                    StandardStream.output.write("seed \(report.seed): \(violation)\n")
                }
            }
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
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.ledger
        }
    }
}

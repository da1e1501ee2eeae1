// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What one pull holds of a store: its hidden tables, and the links that it began from.
///
/// Several may sync one file, as an app and its extension do. What one receives lies in tables of the file until all of it
/// is there, so another one must not put its own in between, nor apply what is older than what is there by now. The file
/// has a mark for it:
///
///     f93…         nobody holds it; another one after each change of what pulls begin from
///     8c1….7       a pull holds it, and has written seven times
///
/// A claim counts as long as the mark is the one that it found or wrote. One that finds the mark of another pull sees by the
/// number whether that goes on: the process that holds it may have been killed.
package final class PullClaim: Sendable {
    /// That another pull, or a change of what pulls begin from, came between.
    package struct Lost: Error {
        package init() {}
    }

    /// What a pull has in the hidden tables.
    final class Work: Sendable {
        /// What each set's staged rows have, by the place of the set.
        let staging = Mutex<[Int: Staging]>([:])
        /// The sets whose hidden table of a load is there and empty.
        let prepared = Mutex<Set<Int>>([])
    }

    /// The pull of this process that ended last without being applied: nobody waits for it.
    final class Ended: Sendable {
        let identifier = Mutex<String?>(nil)
    }

    private struct State {
        var mark: String
        /// How often it was written.
        var count = 0
    }

    private static let setting = "pull"

    let work = Work()
    /// Whether another pull holds the store, and may go on.
    package let isContested: Bool
    private let identifier = String(UInt64.random(in: 0 ... .max), radix: 16)
    private let state: Mutex<State>
    private let ended: Ended

    init(_ connection: Connection, _ ended: Ended) throws {
        let mark = try connection.meta(Self.setting) ?? ""
        state = Mutex(State(mark: mark))
        self.ended = ended
        let holder = mark.firstIndex(of: ".").map { String(mark[..<$0]) }
        isContested = holder != nil && holder != ended.identifier.withLock(\.self)
    }

    deinit {
        guard state.withLock({ $0.count > 0 }) else { return }
        ended.identifier.withLock { $0 = identifier }
    }

    /// Whether nothing has happened since another claim was made.
    package func isSame(as other: PullClaim) -> Bool {
        state.withLock(\.mark) == other.state.withLock(\.mark)
    }

    /// Makes sure, in a transaction, that the claim still counts.
    ///
    /// - Throws: ``Lost``.
    func check(_ connection: Connection) throws {
        guard try connection.meta(Self.setting) ?? "" == state.withLock(\.mark) else { throw Lost() }
    }

    /// Makes sure, in a transaction that writes, that the claim still counts, and ends those of others.
    ///
    /// A transaction that is undone ends it, too.
    /// - Throws: ``Lost``.
    func hold(_ connection: Connection) throws {
        try check(connection)
        try state.withLock { state in
            state.count += 1
            state.mark = "\(identifier).\(state.count)"
            try connection.setMeta(Self.setting, state.mark)
        }
    }

    /// Ends every claim: there are other links to begin from.
    static func endAll(_ connection: Connection) throws {
        try connection.setMeta(setting, "f" + String(UInt64.random(in: 0 ... .max), radix: 16))
    }
}

extension LocalStore {
    /// Begins a pull, from the links that the store has now.
    package func claimPull() throws -> PullClaim { try reading { try PullClaim($0, endedPull) } }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What one pull holds of a store: its hidden tables, and the links that it began from.
///
/// Several may sync one file, as an app and its extension do. What one receives lies in tables of the file until all of it
/// is there, so another one must not put its own in between, nor apply what is older than what is there by now. While rows
/// lie there the file has the mark of the pull that they are of, and how often that has written: `8c1….7`. A claim counts
/// as long as the mark is the one that it found or wrote, and links and content are those that it began from. One that finds
/// the mark of another pull sees by the number whether that goes on: the process that holds it may have been killed. One
/// that has nothing to write, as it waits for an answer, writes its mark alone.
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
        var mark: String?
        /// The content, and what is subscribed to with the links.
        var basis: [String]
        /// How often the mark was written.
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
        let mark = try connection.meta(Self.setting)
        state = Mutex(State(mark: mark, basis: try Self.basis(connection)))
        self.ended = ended
        let holder = mark?.prefix { $0 != "." }
        isContested = holder != nil && holder != ended.identifier.withLock(\.self).map { $0[...] }
    }

    deinit {
        guard state.withLock({ $0.count > 0 }) else { return }
        ended.identifier.withLock { $0 = identifier }
    }

    private static func basis(_ connection: Connection) throws -> [String] {
        let sql = "SELECT set_name, filter, properties, delta_link FROM main.tideline_subscriptions ORDER BY set_name"
        let subscriptions = try connection.query(sql) { row in (0..<4).map { row.string($0) ?? "" } }
        return [try connection.meta("content") ?? ""] + subscriptions.flatMap(\.self)
    }

    /// Whether nothing has happened since another claim was made.
    package func isSame(as other: PullClaim) -> Bool {
        let (mine, others) = (state.withLock(\.self), other.state.withLock(\.self))
        return mine.mark == others.mark && mine.basis == others.basis
    }

    /// Makes sure, in a transaction, that the claim still counts.
    ///
    /// - Throws: ``Lost``.
    func check(_ connection: Connection) throws {
        let state = state.withLock(\.self)
        guard try connection.meta(Self.setting) == state.mark, try Self.basis(connection) == state.basis else {
            throw Lost()
        }
    }

    /// Makes sure, in a transaction that writes to the hidden tables, that the claim still counts, and ends those of others.
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

    /// Shows others that the pull goes on, in a transaction of its own, where it holds the store.
    ///
    /// Where that fails, the claim counts as it did: nothing that was received is undone with it.
    /// - Throws: ``Lost``, also where the pull was applied meanwhile; ``LocalStoreError`` where nothing can be written.
    package func beat(in store: LocalStore) throws {
        guard state.withLock({ $0.count > 0 }) else { return }
        var marks: (before: String?, now: String?)?
        do {
            try store.writing { connection in
                let before = state.withLock(\.mark)
                try hold(connection)
                marks = (before, state.withLock(\.mark))
                return ((), [])
            }
        } catch {
            // What the pull wrote meanwhile stands.
            if let marks { state.withLock { if $0.mark == marks.now { $0.mark = marks.before } } }
            throw error
        }
    }

    /// Goes on from the links that this transaction has changed on behalf of the claim.
    func renew(_ connection: Connection) throws {
        let basis = try Self.basis(connection)
        state.withLock { $0.basis = basis }
    }

    /// Notes, in the transaction that applies them, that no rows lie in the hidden tables any more.
    static func release(_ connection: Connection) throws {
        if try connection.meta(setting) != nil { try connection.setMeta(setting, nil) }
    }
}

extension LocalStore {
    /// Begins a pull, from the links that the store has now.
    package func claimPull() throws -> PullClaim { try reading { try PullClaim($0, endedPull) } }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization
import TidelineModel
import TidelineOData
import TidelineService
import TidelineStorage

/// Who listens to a domain, and what is told to them.
///
///     commit of this process ─┐
///     word of the database ───┤
///     interval ───────────────┴─► one look at the log, however many asked ─► for each user a notice ─► its listeners
///
/// Nothing is looked at while nobody listens. Looks keep a distance that grows with the number of listeners, so that a
/// busy domain wakes many of them seldom.
final class DomainEvents: Sendable {
    private struct State {
        var listeners: [Int: EventListener] = [:]
        var nextNumber = 0
        /// The last notice, from which the next look counts; `nil` while nobody listens.
        var last: String?
        var isLooking = false
        var isLookWanted = false
        var hasFailed = false
        /// What is told of other programs' commits, while anybody listens.
        var watch: (any StoreWatch)?
    }

    private let domain: String
    private let service: ODataService
    private let store: any Store
    private let pool: WorkerPool
    private let logger: Logger
    private let state = Mutex(State())

    init(service: ODataService, commits: CommitHint, store: any Store, pool: WorkerPool, logger: Logger) {
        domain = service.domain.name
        self.service = service
        self.store = store
        self.pool = pool
        self.logger = logger
        commits.onCommit { [weak self] in self?.look() }
    }

    /// How many listen.
    var count: Int { state.withLock { $0.listeners.count } }

    /// Lets one listen; it is told of what is committed from now on.
    ///
    /// - Returns: its number, for ``leave(_:)``.
    func join(_ listener: EventListener) -> Int {
        state.withLock { state in
            // It returns at once: connecting is a matter of its own thread.
            if state.watch == nil { state.watch = store.watch { [weak self] in self?.look() } }
            state.nextNumber += 1
            state.listeners[state.nextNumber] = listener
            return state.nextNumber
        }
    }

    func leave(_ number: Int) {
        // Let go outside of the lock: it ends a session with the database.
        let ended = state.withLock { state -> (any StoreWatch)? in
            state.listeners[number] = nil
            guard state.listeners.isEmpty else { return nil }
            state.last = nil
            defer { state.watch = nil }
            return state.watch
        }
        withExtendedLifetime(ended) {}
    }

    /// What changed for a user since a notice that one who has joined was told; blocks.
    ///
    /// What is committed later than that, the next look finds: it counts from here or from before.
    func catchUp(since id: String?, for user: UserContext) throws -> ChangeNotice {
        if state.withLock({ $0.last == nil }) {
            let first = try service.notice(since: nil, for: user)
            state.withLock { $0.last = $0.last ?? first.id }
        }
        return try service.notice(since: id, for: user)
    }

    /// Asks for a look at the log: returns at once.
    func look() {
        let begins = state.withLock { state in
            guard !state.listeners.isEmpty else { return false }
            state.isLookWanted = true
            defer { state.isLooking = true }
            return !state.isLooking
        }
        // Unstructured: the request whose commit asked for it is answered meanwhile.
        if begins { Task { await lookWhileWanted() } }
    }

    private func lookWhileWanted() async {
        repeat {
            let (since, listeners) = state.withLock { state in
                state.isLookWanted = false
                return (state.last, state.listeners.count)
            }
            await lookOnce(since: since)
            try? await Task.sleep(for: .milliseconds(2 + listeners / 50))
        } while state.withLock { state in
            state.isLooking = state.isLookWanted && !state.listeners.isEmpty
            return state.isLooking
        }
    }

    private func lookOnce(since: String?) async {
        // Nobody has been told anything yet.
        guard let since else { return }
        do {
            let notices = try await pool.run { [self] in
                try service.notices(since: since) { Set(all.map(\.user)) }
            }
            let listeners = state.withLock { state in
                state.hasFailed = false
                if state.last != nil { state.last = notices.id }
                return Array(state.listeners.values)
            }
            for listener in listeners { listener.offer(notices[listener.user]) }
        } catch is WorkerPool.Busy {
            // The interval comes again.
        } catch {
            let isFirst = state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
            if isFirst { ServiceReport.log("events", error, domain: domain, to: logger) }
        }
    }

    /// Looks at the clock for every listener.
    func tick(_ now: ContinuousClock.Instant, keepAlive: Duration) {
        for listener in all { listener.tick(now, keepAlive: keepAlive) }
    }

    /// Ends every listener: each comes again and finds what there is then.
    func endAll() { for listener in all { listener.end() } }

    private var all: [EventListener] { state.withLock { Array($0.listeners.values) } }
}

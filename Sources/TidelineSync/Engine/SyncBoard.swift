// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineModel
import TidelineStore

/// What is known of an engine at this moment, and who wants to hear of it.
final class SyncBoard: Sendable {
    /// What a schedule wants to hear of.
    enum News: Sendable {
        case ended(Result<SyncReport, any Error>)
        /// A sign came, see ``isAnswered``.
        case signal
        /// Somebody asks it to go on.
        case resume
    }

    private struct State {
        var next = 0
        var watchers: [Int: AsyncStream<SyncProgress>.Continuation] = [:]
        var bells: [Int: AsyncStream<Void>.Continuation] = [:]
        var listeners: [Int: @Sendable (News) -> Void] = [:]
        var activity = SyncActivity()
        /// How often the activity changed.
        var changes = 0
        /// The event that the last sign came from, and the one that tells of no more than the last sync has read.
        var told: String?
        var reached: String?
        /// Whether a sign came, since the last sync began, that is of no event: nobody knows what answers it.
        var hasUnknownSign = false

        var isAnswered: Bool { !hasUnknownSign && told != nil && told == reached }

        mutating func place() -> Int {
            next += 1
            return next
        }
    }

    private let state = Mutex(State())

    // MARK: What happens

    /// A sync begins: what it will read answers what the service told before.
    func begin() {
        change { state in
            state.reached = nil
            state.hasUnknownSign = false
            state.activity.hasNews = false
            state.activity.waitsUntil = nil
        }
    }

    func post(_ progress: SyncProgress) {
        change { $0.activity.step = progress }
        let watchers = state.withLock { Array($0.watchers.values) }
        for watcher in watchers { watcher.yield(progress) }
    }

    /// The service answered an exchange of the sync under way: it is out of reach no more.
    func answered() {
        guard state.withLock({ $0.activity.step?.hasAnswer == false }) else { return }
        change { $0.activity.step?.hasAnswer = true }
    }

    /// The sync under way pauses until this time.
    func wait(until time: DateTimeOffset) { change { $0.activity.waitsUntil = time } }

    /// The sync under way is over; what it did is in the store's log.
    func end(_ outcome: Result<SyncReport, any Error>) {
        // In this order, so that nobody takes what it did for another program's who has not heard of its end.
        tell(.ended(outcome))
        change { $0.activity.step = nil }
    }

    /// Whether a sync of this engine is under way.
    var isSyncing: Bool { state.withLock { $0.activity.step != nil } }

    /// Keeps why the last sync failed, where the store's log does not tell; `nil` where it does, or the sync succeeded.
    func note(_ failure: SyncFailure?) { change { $0.activity.unnoted = failure } }

    /// Why the last sync failed, where the store's log does not tell.
    var unnoted: SyncFailure? { state.withLock { $0.activity.unnoted } }

    /// A sign came that a sync may find something to do.
    func post(_ sign: SyncSign) {
        change { state in
            if let eventID = sign.eventID { state.told = eventID } else { state.hasUnknownSign = true }
            if sign.signal == .changed, !state.isAnswered { state.activity.hasNews = true }
        }
        tell(.signal)
    }

    /// A sync has read and kept all that the event of this id would tell of.
    func reach(_ eventID: String?) {
        change { state in
            state.reached = eventID
            if state.isAnswered { state.activity.hasNews = false }
        }
    }

    /// Whether all that the service told is read: a change that this device sent is told to it too, and so is the state
    /// that it finds when it begins to listen.
    var isAnswered: Bool { state.withLock { $0.isAnswered } }

    /// Somebody asks schedules to go on.
    func resume() { tell(.resume) }

    /// What the schedule does between syncs; `nil` when there is none.
    func post(schedule: SyncActivity.Schedule?) { change { $0.activity.schedule = schedule } }

    private func tell(_ news: News) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener(news) }
    }

    private func change(_ body: (inout State) -> Void) {
        let bells = state.withLock { state in
            body(&state)
            state.changes += 1
            return Array(state.bells.values)
        }
        for bell in bells { bell.yield() }
    }

    // MARK: Who listens

    /// A stream of the progress from now on; a slow reader gets the newest alone.
    func watch() -> AsyncStream<SyncProgress> {
        let (stream, continuation) = AsyncStream.makeStream(of: SyncProgress.self, bufferingPolicy: .bufferingNewest(1))
        let place = state.withLock { state in
            let place = state.place()
            state.watchers[place] = continuation
            return place
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.watchers.removeValue(forKey: place) }
        }
        return stream
    }

    /// A stream that rings when anything here changes, and at every commit of the store; ends with the store.
    func bell(_ store: LocalStore) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let place = state.withLock { state in
            let place = state.place()
            state.bells[place] = continuation
            return place
        }
        let commits = store.ring(continuation)
        continuation.onTermination = { [weak self, weak store] _ in
            self?.state.withLock { _ = $0.bells.removeValue(forKey: place) }
            store?.stopRinging(commits)
        }
        return stream
    }

    /// Calls `body` with all that a schedule wants to hear of, on whichever thread it comes from.
    ///
    /// - Returns: what ``forget(_:)`` takes.
    func listen(_ body: @escaping @Sendable (News) -> Void) -> Int {
        state.withLock { state in
            let place = state.place()
            state.listeners[place] = body
            return place
        }
    }

    func forget(_ listener: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: listener) } }

    /// The state of now.
    ///
    /// Where a sync goes on while the store counts, it is asked again, so that the counts are not those of the step before;
    /// of a sync that goes on faster than that, the newest is good enough.
    func status(of store: LocalStore) async throws -> SyncStatus {
        for _ in 0..<2 {
            let before = state.withLock(\.changes)
            let counts = try await store.perform { try $0.status() }
            let activity = state.withLock { $0.changes == before ? $0.activity : nil }
            if let activity { return activity.status(counts) }
        }
        let activity = state.withLock(\.activity)
        return activity.status(try await store.perform { try $0.status() })
    }
}

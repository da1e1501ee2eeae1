// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineModel
import TidelineOData

/// One connection that listens.
///
///     offer ─► merged into what was not taken yet ─► next ─► the connection
///
/// However slow the reader, no more than one notice waits for it: the union of all that it has not taken.
final class EventListener: Sendable {
    /// What the connection does next.
    enum Step: Hashable {
        /// Tells of changes.
        case tell(ChangeNotice)
        /// Shows that it lives; where the log went on with nothing for this user, how far.
        case keepAlive(id: String?)
        /// Ends.
        case end
    }

    private struct State {
        var id: String?
        var sets: Set<String> = []
        var isAlivenessDue = false
        var isEnded = false
        /// When something was last taken.
        var lastStep: ContinuousClock.Instant
        var waiter: CheckedContinuation<Void, Never>?

        var hasStep: Bool { !sets.isEmpty || isAlivenessDue || isEnded }
    }

    /// Who listens.
    let user: UserContext
    /// When it is told to end.
    private let deadline: ContinuousClock.Instant
    private let state: Mutex<State>

    init(user: UserContext, now: ContinuousClock.Instant, deadline: ContinuousClock.Instant) {
        self.user = user
        self.deadline = deadline
        state = Mutex(State(lastStep: now))
    }

    /// Adds what changed for its user.
    func offer(_ notice: ChangeNotice) {
        wake { state in
            state.id = notice.id
            state.sets.formUnion(notice.sets)
        }
    }

    /// Looks at the clock: whether it is time to show that the connection lives, or to end.
    func tick(_ now: ContinuousClock.Instant, keepAlive: Duration) {
        wake { state in
            if now >= deadline { state.isEnded = true }
            if now - state.lastStep >= keepAlive {
                state.isAlivenessDue = true
                state.lastStep = now
            }
        }
    }

    /// Ends it, after what it has to tell.
    func end() { wake { $0.isEnded = true } }

    /// The next step, as soon as there is one.
    ///
    /// For one caller at a time. Ended by cancellation too.
    func next(now: () -> ContinuousClock.Instant) async -> Step {
        while true {
            if let step = take(now()) { return step }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isThere = state.withLock { state in
                        if !state.hasStep { state.waiter = continuation }
                        return state.hasStep
                    }
                    if isThere { continuation.resume() }
                }
            } onCancel: {
                end()
            }
        }
    }

    private func take(_ now: ContinuousClock.Instant) -> Step? {
        state.withLock { state in
            guard state.hasStep else { return nil }
            let id = state.id
            if !state.sets.isEmpty, let id {
                let sets = state.sets
                (state.sets, state.id, state.isAlivenessDue, state.lastStep) = ([], nil, false, now)
                return .tell(ChangeNotice(id: id, sets: sets))
            }
            // How far it was told goes before the end, or it would be told again of what passed it by.
            if state.isEnded, id == nil { return .end }
            (state.id, state.isAlivenessDue) = (nil, false)
            return .keepAlive(id: id)
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            change(&state)
            guard state.hasStep else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tells those who listen which rows commits touched.
///
/// What comes while a listener is busy is folded into one, so a slow listener costs a bounded memory.
///
/// A reader that wants the state of one snapshot takes what is known (``take(_:)``), begins the snapshot, and then looks
/// at what came meanwhile (``peek(_:)``): the snapshot shows all of the first, and of the second perhaps a part. A commit
/// is therefore announced before it is made.
final class CommitBroadcaster: Sendable {
    fileprivate struct Listener {
        let sets: Set<Int>
        /// Rows of commits that are made.
        var news = TouchedRows()
        var waiting: (turn: Int, continuation: CheckedContinuation<Bool, Never>)?
    }

    fileprivate struct State {
        var next = 0
        var listeners: [Int: Listener] = [:]
        /// What the commit that is being made touches.
        var announced = TouchedRows()
        var isFinished = false
        /// Whether somebody looks for the commits of others.
        var isWatched = false
    }

    private let state = Mutex(State())

    /// Whether anybody listens.
    var isHeard: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Whether anybody listens to one of these sets.
    func isHeard(_ sets: Set<Int>) -> Bool {
        state.withLock { $0.listeners.values.contains { !$0.sets.isDisjoint(with: sets) } }
    }

    /// The number of those who listen.
    var count: Int { state.withLock { $0.listeners.count } }

    /// A new listener for commits that touch one of these sets.
    func listen(to sets: Set<Int>) -> Int {
        state.withLock { state in
            state.next += 1
            state.listeners[state.next] = Listener(sets: sets)
            return state.next
        }
    }

    /// Whether a watch for the commits of others has to be begun.
    func beginWatch() -> Bool {
        state.withLock { state in
            guard !state.isWatched, !state.isFinished else { return false }
            state.isWatched = true
            return true
        }
    }

    /// Whether the watch is over, because nobody listens, neither here nor elsewhere.
    func endWatch(unless isWanted: () -> Bool = { false }) -> Bool {
        state.withLock { state in
            guard state.listeners.isEmpty, !isWanted() else { return false }
            state.isWatched = false
            return true
        }
    }

    func forget(_ listener: Int) {
        let waiting = state.withLock { $0.listeners.removeValue(forKey: listener)?.waiting }
        waiting?.continuation.resume(returning: false)
    }

    // MARK: Commits

    /// A commit that touches these rows will now be made; ``committed()`` or ``abandoned()`` follows.
    func announce(_ touched: TouchedRows) {
        guard !touched.isEmpty else { return }
        state.withLock { $0.announced.add(touched) }
    }

    /// What was announced is committed.
    func committed() {
        let ready = state.withLock { state in
            let touched = state.announced
            state.announced = TouchedRows()
            return State.tell(touched, &state)
        }
        for continuation in ready { continuation.resume(returning: true) }
    }

    /// What was announced is not committed.
    func abandoned() { state.withLock { $0.announced = TouchedRows() } }

    /// These rows may have changed.
    func tell(_ touched: TouchedRows) {
        let ready = state.withLock { State.tell(touched, &$0) }
        for continuation in ready { continuation.resume(returning: true) }
    }

    // MARK: Listening

    /// What commits touched since this was asked last.
    func take(_ listener: Int) -> TouchedRows {
        state.withLock { state in
            guard let known = state.listeners[listener] else { return TouchedRows() }
            state.listeners[listener]?.news = TouchedRows()
            return known.news
        }
    }

    /// What commits touched since ``take(_:)``, with the one that is perhaps being made; they will be told again.
    func peek(_ listener: Int) -> TouchedRows {
        state.withLock { state in
            guard let known = state.listeners[listener] else { return TouchedRows() }
            var seen = known.news
            seen.add(state.announced.within(known.sets))
            return seen
        }
    }

    /// Waits until a commit concerned a listener since it took its news.
    ///
    /// - Parameter isWanted: whether the caller may still wait; asked where nobody else comes between, so it must not call
    ///   this type.
    /// - Returns: false when nothing will come any more: the task is cancelled, all is over, it is not wanted, or another
    ///   task waits for this listener now.
    func news(for listener: Int, where isWanted: () -> Bool = { true }) async -> Bool {
        let turn = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (answer, displaced): (Bool?, CheckedContinuation<Bool, Never>?) = state.withLock { state in
                    guard !state.isFinished, let known = state.listeners[listener], isWanted() else {
                        return (false, nil)
                    }
                    guard known.news.isEmpty else { return (true, nil) }
                    state.listeners[listener]?.waiting = (turn, continuation)
                    return (nil, known.waiting?.continuation)
                }
                // Outside of the lock, which who cancels that task waits for.
                displaced?.resume(returning: false)
                if let answer { continuation.resume(returning: answer) }
                // Cancelled before the continuation was stored: nobody else would wake it.
                if answer == nil, Task.isCancelled { wake(listener, turn) }
            }
        } onCancel: {
            wake(listener, turn)
        }
    }

    /// Ends the waiting of a listener, who goes on listening.
    ///
    /// - Parameter isWanted: whether the caller may still do so, as in ``news(for:where:)``.
    func interrupt(_ listener: Int, where isWanted: () -> Bool = { true }) {
        let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard isWanted() else { return nil }
            defer { state.listeners[listener]?.waiting = nil }
            return state.listeners[listener]?.waiting?.continuation
        }
        waiting?.resume(returning: false)
    }

    private func wake(_ listener: Int, _ turn: Int) {
        let waiting = state.withLock { state in
            guard let waiting = state.listeners[listener]?.waiting, waiting.turn == turn else {
                return CheckedContinuation<Bool, Never>?.none
            }
            state.listeners[listener]?.waiting = nil
            return waiting.continuation
        }
        waiting?.resume(returning: false)
    }

    /// No more commits come.
    func finish() {
        let ready = state.withLock { state in
            state.isFinished = true
            defer { state.listeners.removeAll() }
            return state.listeners.values.compactMap(\.waiting)
        }
        for waiting in ready { waiting.continuation.resume(returning: false) }
    }
}

extension CommitBroadcaster.State {
    /// Adds to the news of those concerned.
    ///
    /// - Returns: those who waited.
    fileprivate static func tell(
        _ touched: TouchedRows,
        _ state: inout CommitBroadcaster.State
    ) -> [CheckedContinuation<Bool, Never>] {
        guard !touched.isEmpty else { return [] }
        var ready: [CheckedContinuation<Bool, Never>] = []
        for (id, listener) in state.listeners where touched.touches(listener.sets) {
            state.listeners[id]?.news.add(touched.within(listener.sets))
            if let waiting = listener.waiting {
                ready.append(waiting.continuation)
                state.listeners[id]?.waiting = nil
            }
        }
        return ready
    }
}

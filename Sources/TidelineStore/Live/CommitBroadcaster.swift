// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tells those who wait which sets a commit touched.
///
/// A listener that is busy finds the news when it comes back.
final class CommitBroadcaster: Sendable {
    private struct Listener {
        var sets: Set<Int>
        var hasNews = false
        var waiting: CheckedContinuation<Bool, Never>?
    }

    private struct State {
        var next = 0
        var listeners: [Int: Listener] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())

    /// A new listener for commits that touch one of these sets.
    func listen(to sets: Set<Int>) -> Int {
        state.withLock { state in
            state.next += 1
            state.listeners[state.next] = Listener(sets: sets)
            return state.next
        }
    }

    func forget(_ listener: Int) {
        let waiting = state.withLock { $0.listeners.removeValue(forKey: listener)?.waiting }
        waiting?.resume(returning: false)
    }

    /// A commit touched these sets.
    func committed(_ sets: Set<Int>) {
        guard !sets.isEmpty else { return }
        let ready = state.withLock { state in
            var ready: [CheckedContinuation<Bool, Never>] = []
            for (id, listener) in state.listeners where !listener.sets.isDisjoint(with: sets) {
                if let waiting = listener.waiting {
                    ready.append(waiting)
                    state.listeners[id]?.waiting = nil
                } else {
                    state.listeners[id]?.hasNews = true
                }
            }
            return ready
        }
        for continuation in ready { continuation.resume(returning: true) }
    }

    /// Waits for the next commit that concerns a listener; returns at once when there was one meanwhile.
    ///
    /// - Returns: false when nothing will come any more.
    func news(for listener: Int) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    guard !state.isFinished, var known = state.listeners[listener] else { return false }
                    if known.hasNews {
                        known.hasNews = false
                        state.listeners[listener] = known
                        return true
                    }
                    known.waiting = continuation
                    state.listeners[listener] = known
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
                // Cancelled before the continuation was stored: nobody else would wake it.
                if answer == nil, Task.isCancelled { forget(listener) }
            }
        } onCancel: {
            forget(listener)
        }
    }

    /// No more commits come.
    func finish() {
        let ready = state.withLock { state in
            state.isFinished = true
            defer { state.listeners.removeAll() }
            return state.listeners.values.compactMap(\.waiting)
        }
        for continuation in ready { continuation.resume(returning: false) }
    }
}

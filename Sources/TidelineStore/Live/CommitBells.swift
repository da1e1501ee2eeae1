// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Rings at every commit, whatever it touched, for those who look at the state of the store as a whole.
///
/// What comes while a listener is busy is one ring where its stream keeps one element.
final class CommitBells: Sendable {
    private struct State {
        var next = 0
        var bells: [Int: AsyncStream<Void>.Continuation] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Whether nobody listens.
    var isEmpty: Bool { state.withLock { $0.bells.isEmpty } }

    /// Rings a bell from now on; finishes it when the store is closed.
    ///
    /// - Returns: what ``remove(_:)`` takes.
    func add(_ bell: AsyncStream<Void>.Continuation) -> Int {
        let place: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.next += 1
            state.bells[state.next] = bell
            return state.next
        }
        if place == nil { bell.finish() }
        return place ?? 0
    }

    func remove(_ place: Int) { state.withLock { _ = $0.bells.removeValue(forKey: place) } }

    func ring() {
        let bells = state.withLock { Array($0.bells.values) }
        for bell in bells { bell.yield() }
    }

    /// No more commits come.
    func finish() {
        let bells = state.withLock { state in
            state.isFinished = true
            defer { state.bells = [:] }
            return Array(state.bells.values)
        }
        for bell in bells { bell.finish() }
    }
}

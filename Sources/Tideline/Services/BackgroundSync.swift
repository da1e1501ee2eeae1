// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineSync

/// Syncs behind the calls of services: once for all changes that were made while the last sync ran.
///
/// A sync that fails is not repeated by itself: the change waits in the store, and goes with the next one.
final class BackgroundSync: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isWanted = false
        var isEnded = false
    }

    private let engine: SyncEngine
    private let state = Mutex(State())

    init(_ engine: SyncEngine) { self.engine = engine }

    /// Asks for a sync soon; returns at once.
    func request() {
        state.withLock { state in
            guard !state.isEnded else { return }
            state.isWanted = true
            guard state.task == nil else { return }
            // Unstructured on purpose: it goes on behind the call that made the change, and `end` cancels it.
            state.task = Task { [self] in await run() }
        }
    }

    /// Ends what is under way and starts nothing more.
    func end() async {
        let task = state.withLock { state in
            state.isEnded = true
            state.isWanted = false
            return state.task
        }
        task?.cancel()
        await task?.value
    }

    private func run() async {
        while takeTurn() {
            // What failed is told by `EntityServices.sync()` and by the store's status; here nobody waits for it.
            _ = try? await engine.sync()
        }
    }

    /// Whether another sync is wanted; where none is, the task is over.
    private func takeTurn() -> Bool {
        state.withLock { state in
            let isWanted = state.isWanted
            state.isWanted = false
            if !isWanted { state.task = nil }
            return isWanted
        }
    }
}

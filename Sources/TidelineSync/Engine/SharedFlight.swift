// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The one sync that runs at a time, and those who wait for it.
///
/// Who comes while one runs waits for that one, or, where it has to begin later than the call, for the next. A sync that
/// nobody waits for any more is cancelled; the next begins when it has ended.
final class SharedFlight: Sendable {
    typealias Work = @Sendable () async throws -> SyncReport
    private typealias Caller = CheckedContinuation<SyncReport, any Error>

    private struct State {
        var next = 0
        /// The sync that runs, or `nil`.
        var task: Task<Void, Never>?
        /// Whether who comes now waits for the next sync: the one that runs is cancelled, or over.
        var isClosed = false
        var callers: [Int: Caller] = [:]
        /// Those who wait for the sync after the one that runs.
        var queued: [Int: Caller] = [:]
    }

    private let work: Work
    private let tell: @Sendable (Result<SyncReport, any Error>) -> Void
    private let state = Mutex(State())

    /// - Parameter tell: told how each sync ended. Whoever comes after that waits for another one: who was told, and joined
    ///   the sync that had ended, would wait for news for ever.
    init(_ work: @escaping Work, ended tell: @escaping @Sendable (Result<SyncReport, any Error>) -> Void) {
        self.work = work
        self.tell = tell
    }

    /// Waits for the end of a sync.
    ///
    /// - Parameter isFresh: whether it has to begin after the call.
    /// - Throws: what the sync throws; `CancellationError` at once when the task is cancelled while others wait too, else
    ///   when the sync has ended.
    func join(fresh isFresh: Bool = false) async throws -> SyncReport {
        let place = state.withLock { state in
            state.next += 1
            return state.next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in
                state.withLock { state in
                    if state.task != nil, isFresh || state.isClosed {
                        state.queued[place] = caller
                    } else {
                        state.callers[place] = caller
                        if state.task == nil { start(&state) }
                    }
                }
                // Cancelled before the caller was stored: nobody else would tell.
                if Task.isCancelled { leave(place) }
            }
        } onCancel: {
            leave(place)
        }
    }

    private func start(_ state: inout State) {
        state.isClosed = false
        // Unstructured on purpose: several callers share it, and it ends with the last of them.
        state.task = Task { [self] in
            let outcome: Result<SyncReport, any Error>
            do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            end(outcome)
        }
    }

    private func end(_ outcome: Result<SyncReport, any Error>) {
        state.withLock { $0.isClosed = true }
        // Not under the lock: who is told may be resumed, for which the runtime takes the lock of that task; who cancels it
        // holds that one, and comes here for this.
        tell(outcome)
        let callers = state.withLock { state in
            let callers = state.callers.values
            state.callers = state.queued
            state.queued = [:]
            state.task = nil
            if !state.callers.isEmpty { start(&state) }
            return callers
        }
        for caller in callers { caller.resume(with: outcome) }
    }

    /// One caller waits no more.
    private func leave(_ place: Int) {
        let (caller, task): (Caller?, Task<Void, Never>?) = state.withLock { state in
            if let caller = state.queued.removeValue(forKey: place) { return (caller, nil) }
            guard state.callers[place] != nil else { return (nil, nil) }
            guard state.callers.count == 1 else { return (state.callers.removeValue(forKey: place), nil) }
            // The last one stays until the sync has ended, so that the store is at rest when it is told.
            state.isClosed = true
            return (nil, state.task)
        }
        caller?.resume(throwing: CancellationError())
        task?.cancel()
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Where signals wait for who takes them: one at most, into which later ones are merged.
final class SignalMailbox: Sendable {
    private struct State {
        var waiting: ServiceSignal?
        /// Whether the service was connected by the last signal.
        var isConnected: Bool?
        var isFinished = false
        var taker: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Leaves a signal; one that says nothing new is forgotten.
    func put(_ signal: ServiceSignal) {
        wake { state in
            guard signal.hasNews || state.isConnected != signal.isConnected else { return }
            state.isConnected = signal.isConnected
            state.waiting = state.waiting?.merged(with: signal) ?? signal
        }
    }

    /// After what waits there is no more.
    func finish() { wake { $0.isFinished = true } }

    /// The next signal, as soon as there is one; `nil` at the end.
    ///
    /// For one caller at a time. Ended by cancellation too.
    func next() async -> ServiceSignal? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    let isThere = state.waiting != nil || state.isFinished
                    if !isThere { state.taker = continuation }
                    return isThere
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            finish()
        }
        return state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let taker = state.withLock { state -> CheckedContinuation<Void, Never>? in
            change(&state)
            guard state.waiting != nil || state.isFinished else { return nil }
            defer { state.taker = nil }
            return state.taker
        }
        taker?.resume()
    }
}

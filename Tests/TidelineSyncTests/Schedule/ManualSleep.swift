// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Waits that end when a test says so.
final class ManualSleep: Sendable {
    private struct State {
        var next = 0
        var sleepers: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    private let state = Mutex(State())
    private let begun: AsyncStream<Duration>
    private let beginning: AsyncStream<Duration>.Continuation

    init() { (begun, beginning) = AsyncStream.makeStream(of: Duration.self) }

    func sleep(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.sleepers.append((number, continuation)) }
                beginning.yield(duration)
                if Task.isCancelled { end(number, throwing: CancellationError()) }
            }
        } onCancel: {
            end(number, throwing: CancellationError())
        }
    }

    /// The length of the next wait that begins, or began and was not asked for yet.
    func next() async -> Duration? {
        for await duration in begun { return duration }
        return nil
    }

    /// Ends the wait that began last.
    func wake() {
        let last = state.withLock { $0.sleepers.last?.number }
        if let last { end(last, throwing: nil) }
    }

    /// The number of waits that go on.
    var count: Int { state.withLock { $0.sleepers.count } }

    private func end(_ number: Int, throwing error: (any Error)?) {
        let sleeper = state.withLock { state in
            state.sleepers.firstIndex { $0.number == number }.map { state.sleepers.remove(at: $0) }
        }
        if let error { sleeper?.continuation.resume(throwing: error) } else { sleeper?.continuation.resume() }
    }
}

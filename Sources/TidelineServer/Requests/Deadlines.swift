// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Ends work whose time is over: one clock for all of it.
///
/// `Task.sleep` keeps its timer until the time is over, though nobody waits for it any more. At thousands of requests a
/// second, each of which may take minutes and takes none, that was memory without end.
final class Deadlines: Sendable {
    /// The time was over before the work was done.
    struct Over: Error {}

    /// One piece of work, as it sees its own time.
    struct Turn: Sendable {
        fileprivate let deadlines: Deadlines
        fileprivate let number: Int

        /// Begins the time anew, for work that has got on.
        func renew() { deadlines.renew(number) }
    }

    private struct Wait {
        /// The time from one sign of life to the next.
        let time: Duration
        let end: ContinuousClock.Instant?
        /// Known as soon as the work has begun.
        var cancel: (@Sendable () -> Void)?
        var deadline: ContinuousClock.Instant
        var isOver = false
    }

    private struct State {
        var waits: [Int: Wait] = [:]
        var nextNumber = 0
        var isTicking = false
    }

    private let interval: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// - Parameters:
    ///   - interval: how late work may be ended.
    ///   - now: tells the time.
    init(interval: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock().now }) {
        self.interval = interval
        self.now = now
    }

    /// How much work is under way.
    var count: Int { state.withLock { $0.waits.count } }

    /// Whether the clock runs: not while nothing is under way.
    var isTicking: Bool { state.withLock { $0.isTicking } }

    /// Runs `work` in a task of its own, which is cancelled when its time is over.
    ///
    /// - Parameters:
    ///   - time: how long it may take, or stand still where it renews its turn.
    ///   - total: how long it may take in all.
    /// - Throws: ``Over``, or what the work throws.
    func run<Result: Sendable>(
        within time: Duration,
        total: Duration? = nil,
        _ work: @escaping @Sendable (Turn) async throws -> Result
    ) async throws -> Result {
        let number = begin(time, total)
        let task = Task {
            let result = try await work(Turn(deadlines: self, number: number))
            // What was ended may take its end for that of what it reads.
            try Task.checkCancellation()
            return result
        }
        let isOver = state.withLock { state in
            state.waits[number]?.cancel = { task.cancel() }
            return state.waits[number]?.isOver ?? false
        }
        if isOver { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        if end(number), case .failure = result { throw Over() }
        return try result.get()
    }

    /// - Returns: the number of the work.
    private func begin(_ time: Duration, _ total: Duration?) -> Int {
        let now = now()
        let end = total.map { now + $0 }
        let wait = Wait(time: time, end: end, deadline: min(now + time, end ?? now + time))
        let (number, begins) = state.withLock { state in
            state.nextNumber += 1
            state.waits[state.nextNumber] = wait
            defer { state.isTicking = true }
            return (state.nextNumber, !state.isTicking)
        }
        // Of no request: it lives as long as anybody waits.
        if begins { Task.detached { await self.tick() } }
        return number
    }

    private func renew(_ number: Int) {
        let now = now()
        state.withLock { state in
            guard let wait = state.waits[number] else { return }
            state.waits[number]?.deadline = min(now + wait.time, wait.end ?? now + wait.time)
        }
    }

    /// - Returns: whether the time was over.
    private func end(_ number: Int) -> Bool { state.withLock { $0.waits.removeValue(forKey: number)?.isOver ?? false } }

    private func tick() async {
        while true {
            try? await Task.sleep(for: interval)
            let now = now()
            let (over, goesOn) = state.withLock { state in
                let late = state.waits.filter { !$0.value.isOver && $0.value.deadline <= now }
                for number in late.keys { state.waits[number]?.isOver = true }
                state.isTicking = !state.waits.isEmpty
                return (late.values.compactMap(\.cancel), state.isTicking)
            }
            for cancel in over { cancel() }
            if !goesOn { return }
        }
    }
}

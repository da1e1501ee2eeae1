// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TidelineStorage

/// Runs tasks one job at a time on the thread that made it, with a clock that jumps to the next wait's end.
///
///     let loop = Loop(seed: 7)
///     loop.start { try? await loop.sleep(for: .seconds(3600)) }
///     loop.run()      // at once; loop.now is an hour later
///
/// The seed chooses among the jobs that are ready, so different seeds see different orders, and one seed one order.
package final class Loop: TaskExecutor, Sendable {
    /// Who waits, for ``interrupt(_:)``.
    package typealias Owner = Int

    private struct Wait {
        var owner: Owner
        var end: @Sendable (_ isInterrupted: Bool) -> Void
    }

    private struct State {
        var now = SimulatedTime.start
        var ready: [UnownedJob] = []
        var waits = TimerQueue<Wait>()
        var order: Chance

        mutating func nextJob() -> UnownedJob? {
            if ready.count <= 1 { return ready.popLast() }
            return ready.remove(at: order.below(ready.count))
        }

        mutating func nextWait() -> Wait? {
            guard let (time, wait) = waits.next() else { return nil }
            now = max(now, time)
            return wait
        }
    }

    private let state: Mutex<State>
    private let thread = ObjectIdentifier(Thread.current)

    package init(seed: UInt64) { state = Mutex(State(order: Chance(seed, "order"))) }

    /// Stops the process on any other thread than that of the loop: what no lock guards is used on that one alone.
    package func requireThread() {
        precondition(ObjectIdentifier(Thread.current) == thread, "Another thread than that of the loop runs this.")
    }

    package var now: SimulatedTime { state.withLock(\.now) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.ready.append(job) }
    }

    /// Begins a task whose every step runs here.
    package func start(_ body: @escaping @Sendable () async -> Void) {
        Task(executorPreference: self, operation: body)
    }

    /// Calls a closure at a moment, or now when that has passed.
    package func at(_ time: SimulatedTime, _ owner: Owner = -1, _ body: @escaping @Sendable () -> Void) {
        add(Wait(owner: owner) { isInterrupted in if !isInterrupted { body() } }, at: time)
    }

    /// Waits in simulated time.
    ///
    /// - Throws: `CancellationError` when the owner is interrupted meanwhile.
    package func sleep(for duration: Duration, _ owner: Owner = -1) async throws {
        try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
            let wait = Wait(owner: owner) { isInterrupted in
                if isInterrupted { waiting.resume(throwing: CancellationError()) } else { waiting.resume() }
            }
            add(wait, at: now.advanced(by: duration))
        }
    }

    private func add(_ wait: Wait, at time: SimulatedTime) {
        state.withLock { $0.waits.add(wait, at: max(time, $0.now)) }
    }

    /// Ends all that an owner waits for: a process that is killed waits for nothing.
    package func interrupt(_ owner: Owner) {
        let waits = state.withLock { $0.waits.remove { $0.owner == owner } }
        for wait in waits { wait.end(true) }
    }

    /// Runs until nothing is ready and nobody waits; on the thread that made the loop.
    package func run() {
        requireThread()
        while true {
            if let job = state.withLock({ $0.nextJob() }) {
                unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            } else if let wait = state.withLock({ $0.nextWait() }) {
                wait.end(false)
            } else {
                return
            }
        }
    }
}

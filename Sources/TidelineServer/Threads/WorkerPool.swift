// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import NIOPosix
import Synchronization

/// A fixed number of threads for work that blocks, with a queue that does not grow without end.
///
/// Databases and scrypt never run on the cooperative pool, where a few of them would stop everything else.
final class WorkerPool: Sendable {
    /// The queue is full: the server has more to do than it can.
    struct Busy: Error {}

    private let threads: NIOThreadPool
    private let pending = Atomic<Int>(0)
    private let capacity: Int

    /// - Parameters:
    ///   - threads: how many jobs run at once.
    ///   - capacity: how many may run or wait; one more is refused.
    init(threads count: Int, capacity: Int) {
        threads = NIOThreadPool(numberOfThreads: count)
        self.capacity = capacity
        threads.start()
    }

    /// Who is not served any more, as a server that was never run, leaves no threads behind.
    deinit { threads.shutdownGracefully { _ in } }

    /// Runs work on one of the threads and waits for it without blocking the caller's.
    ///
    /// - Throws: ``Busy``, `CancellationError` when the waiting task was cancelled before the work began, or what the
    ///   work throws.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        guard reserve() else { throw Busy() }
        defer { pending.subtract(1, ordering: .relaxed) }
        return try await threads.runIfActive(work)
    }

    /// Runs work on one of the threads, some time.
    ///
    /// - Returns: false when the queue is full: the work is not done.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard reserve() else { return false }
        threads.submit { state in
            defer { self.pending.subtract(1, ordering: .relaxed) }
            if case .active = state { work() }
        }
        return true
    }

    private func reserve() -> Bool {
        guard pending.add(1, ordering: .relaxed).newValue <= capacity else {
            pending.subtract(1, ordering: .relaxed)
            return false
        }
        return true
    }

    /// Ends the threads when the jobs that run are done.
    func shutDown() async { try? await threads.shutdownGracefully() }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Testing

/// Runs each test on a thread of its own.
///
/// For tests that compute for seconds without a pause: the pool has as many threads as the machine has processors, and
/// a test that holds one of them keeps servers and clients of other tests from answering in time.
public struct OwnThread: TestTrait, SuiteTrait, TestScoping {
    public let isRecursive = true

    @concurrent public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadExecutor()) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    /// The test computes for long, and does so on a thread of its own.
    public static var ownThread: OwnThread { OwnThread() }
}

/// A thread for each stretch of work between two waits.
private final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Thread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        thread.stackSize = 8 << 20
        thread.start()
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import TidelineClient
import TidelineModel
import TidelineStore

@testable import TidelineSync

/// A schedule beside another program that syncs the same file.
@Suite(.timeLimit(.minutes(1)))
struct OtherProgramTests {
    @Test func `what needs a person stops it until another program's sync succeeds`() async throws {
        let served = try ServedDomain(.sqlite)
        let (one, other) = try await served.twoOfOneFile(isOneProcess: false)
        let isSignedOut = Mutex(true)
        one.transport.begin { _ in
            if isSignedOut.withLock(\.self) { throw ClientError(.signInRequired, "Who?", advice: "Sign in.") }
        }
        let sleep = ManualSleep()
        let options = SyncOptions(
            retry: RetryPolicy(patience: .zero),
            sleep: { try await sleep.sleep($0) },
            random: { 1 },
            now: { DateTimeOffset(seconds: 1_800_000_000) }
        )
        let engine = SyncEngine(store: one.store, client: one.client, options: options)
        var states = engine.status.makeAsyncIterator()
        let task = Task { await engine.run(SyncSchedule(quiet: .milliseconds(300), listens: false)) }
        while let state = await states.next(), state.phase != .stopped(until: nil) {}
        #expect(sleep.count == 0)
        isSignedOut.withLock { $0 = false }
        try await other.sync()
        try one.store.refresh()
        // The rest after the sync that follows.
        #expect(await sleep.next() == .milliseconds(300))
        #expect(try one.store.syncLog(limit: 1).first?.failure == nil)
        task.cancel()
        await task.value
        #expect(sleep.count == 0)
    }
}

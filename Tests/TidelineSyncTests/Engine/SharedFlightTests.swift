// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization
import Testing

@testable import TidelineSync

/// One sync at a time, and who waits for which.
struct SharedFlightTests {
    /// Syncs that a test ends.
    private final class Syncs: Sendable {
        private struct State {
            var running: [CheckedContinuation<SyncReport, any Error>] = []
            var begun = 0
            var most = 0
        }
        private let state = Mutex(State())
        let beginnings: AsyncStream<Int>
        private let beginning: AsyncStream<Int>.Continuation

        init() { (beginnings, beginning) = AsyncStream.makeStream(of: Int.self) }

        /// A cancelled sync goes on until the test ends it, as one in the middle of a transaction does.
        func run() async throws -> SyncReport {
            try await withCheckedThrowingContinuation { continuation in
                let number = state.withLock { state in
                    state.running.append(continuation)
                    state.begun += 1
                    state.most = max(state.most, state.running.count)
                    return state.begun
                }
                beginning.yield(number)
            }
        }

        func end(sent: Int) {
            let sync = state.withLock { $0.running.isEmpty ? nil : $0.running.removeFirst() }
            sync?.resume(returning: SyncReport(sent: sent))
        }

        /// The most that ran at once.
        var most: Int { state.withLock(\.most) }
    }

    private let syncs = Syncs()
    private let flight: SharedFlight

    init() {
        let syncs = syncs
        flight = SharedFlight({ try await syncs.run() }, ended: { _ in })
    }

    private func call(fresh isFresh: Bool = false) -> Task<Int?, Never> {
        Task { [flight] in try? await flight.join(fresh: isFresh).sent }
    }

    /// Lets tasks that were begun come to their waiting.
    private func settle() async { for _ in 0..<100 { await Task.yield() } }

    @Test func `who comes while a sync runs gets its report`() async {
        var beginnings = syncs.beginnings.makeAsyncIterator()
        let first = call()
        #expect(await beginnings.next() == 1)
        let second = call()
        await settle()
        syncs.end(sent: 7)
        #expect(await first.value == 7)
        #expect(await second.value == 7)
        #expect(syncs.most == 1)
    }

    @Test func `who comes when told of the end of a sync gets another one`() async throws {
        let count = Mutex(0)
        let (news, bell) = AsyncStream.makeStream(of: Void.self)
        let flight = SharedFlight {
            count.withLock { $0 += 1 }
            return SyncReport()
        } ended: { _ in
            bell.yield()
        }
        var ends = news.makeAsyncIterator()
        for round in 1...500 {
            let first = Task { try await flight.join() }
            await ends.next()
            _ = try await flight.join()
            // Where it joined the one that had ended, no further end would be told.
            try #require(count.withLock(\.self) == 2 * round)
            _ = try await first.value
            await ends.next()
        }
    }

    @Test func `a caller may be cancelled while the end of its sync is told`() async throws {
        let caller = Mutex<Task<SyncReport, any Error>?>(nil)
        let wasHeldUp = Mutex(Bool?.none)
        let (known, knows) = AsyncStream.makeStream(of: Void.self)
        let flight = SharedFlight {
            for await _ in known {}
            return SyncReport(sent: 4)
        } ended: { _ in
            // Cancelling runs what the caller left to be run then, on the thread that cancels.
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                caller.withLock { $0 }?.cancel()
                done.signal()
            }
            let isDone = done.wait(timeout: .now() + 20) == .success
            wasHeldUp.withLock { $0 = !isDone }
        }
        let first = Task { try await flight.join() }
        caller.withLock { $0 = first }
        knows.finish()
        #expect(try await first.value.sent == 4)
        #expect(wasHeldUp.withLock(\.self) == false)
    }

    @Test func `who needs a later one gets the next, together with others who do`() async {
        var beginnings = syncs.beginnings.makeAsyncIterator()
        let first = call()
        #expect(await beginnings.next() == 1)
        let (second, third) = (call(fresh: true), call(fresh: true))
        await settle()
        syncs.end(sent: 1)
        #expect(await first.value == 1)
        #expect(await beginnings.next() == 2)
        syncs.end(sent: 2)
        #expect(await second.value == 2)
        #expect(await third.value == 2)
        #expect(syncs.most == 1)
    }

    @Test func `one of two who is cancelled is told at once, and the sync goes on for the other`() async {
        var beginnings = syncs.beginnings.makeAsyncIterator()
        let first = call()
        #expect(await beginnings.next() == 1)
        let second = call()
        await settle()
        second.cancel()
        #expect(await second.value == nil)
        syncs.end(sent: 3)
        #expect(await first.value == 3)
    }

    @Test func `who comes after the last was cancelled gets a sync of their own, when the old one has ended`() async {
        var beginnings = syncs.beginnings.makeAsyncIterator()
        let first = call()
        #expect(await beginnings.next() == 1)
        first.cancel()
        let second = call()
        await settle()
        // The first still runs: it is not passed on to who did not cancel it.
        syncs.end(sent: 4)
        #expect(await first.value == 4)
        #expect(await beginnings.next() == 2)
        syncs.end(sent: 5)
        #expect(await second.value == 5)
        #expect(syncs.most == 1)
    }

    @Test func `who waits for a later one and is cancelled leaves it`() async {
        var beginnings = syncs.beginnings.makeAsyncIterator()
        let first = call()
        #expect(await beginnings.next() == 1)
        let second = call(fresh: true)
        await settle()
        second.cancel()
        #expect(await second.value == nil)
        syncs.end(sent: 6)
        #expect(await first.value == 6)
        let third = call()
        #expect(await beginnings.next() == 2)
        syncs.end(sent: 8)
        #expect(await third.value == 8)
    }
}

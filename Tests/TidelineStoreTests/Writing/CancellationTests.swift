// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Testing
import TidelineModel

@testable import TidelineStore

struct CancellationTests {
    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
    }

    @Test func `a write that is cancelled while it runs leaves the store as it was`() async throws {
        let store = store
        let gate = DispatchSemaphore(value: 0)
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await store.write { tx in
                try tx.insert([:], into: "Orders")
                try tx.insert(["Code": .string("a")], into: "Tags")
                signal.yield()
                gate.wait()
            }
        }
        for await _ in started { break }
        task.cancel()
        gate.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try Fixture.rows(store, "Tags").isEmpty)
        #expect(try store.status().pendingTransactions == 0)
        let key = try await store.write { try $0.insert([:], into: "Orders") }
        #expect(key == Key([.integer(-1)]))
        #expect(try store.pendingTransactions().map(\.number) == [1])
    }

    @Test func `a write of a task that was cancelled before does not begin`() async throws {
        let store = store
        let gate = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in gate.stream { break }
            try await store.write { _ = try $0.insert(["Code": .string("a")], into: "Tags") }
        }
        task.cancel()
        gate.continuation.yield()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try Fixture.rows(store, "Tags").isEmpty)
    }
}

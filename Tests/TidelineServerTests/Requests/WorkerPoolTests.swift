// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineServer

/// The threads for work that blocks.
struct WorkerPoolTests {
    @Test func `work is taken while there is room, and refused in words where there is none`() async throws {
        let full = WorkerPool(threads: 1, capacity: 0)
        #expect(!full.submit { Issue.record("It was done though it was refused.") })
        await #expect(throws: WorkerPool.Busy.self) { try await full.run {} }
        await full.shutDown()

        let pool = WorkerPool(threads: 1, capacity: 1)
        let (done, dones) = AsyncStream.makeStream(of: Void.self)
        let (go, goes) = AsyncStream.makeStream(of: Void.self)
        let isTaken = pool.submit {
            goes.finish()
            dones.finish()
        }
        #expect(isTaken)
        for await _ in go {}
        for await _ in done {}
        // Its place is free again some time after its work.
        var result: Int?
        while result == nil { result = try? await pool.run { 7 } }
        #expect(result == 7)
        await pool.shutDown()
    }
}

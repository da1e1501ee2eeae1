// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineServer

@Suite("Work that has a time", .timeLimit(.minutes(1)))
struct DeadlinesTests {
    private struct Stop: Error {}

    private let instant: ManualInstant
    private let deadlines: Deadlines

    init() {
        let instant = ManualInstant()
        self.instant = instant
        deadlines = Deadlines(interval: .milliseconds(1)) { instant.now }
    }

    /// Waits until the task is cancelled.
    private static func standStill() async throws -> Int {
        let (nothing, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in nothing {}
        try Task.checkCancellation()
        return 0
    }

    @Test("what is done in time has its result, and nothing waits for its time any more")
    func inTime() async throws {
        for number in 0..<1_000 {
            #expect(try await deadlines.run(within: .seconds(3_600)) { _ in number } == number)
        }
        #expect(deadlines.count == 0)
        await #expect(throws: Stop.self) {
            try await deadlines.run(within: .seconds(3_600)) { _ in throw Stop() }
        }
        #expect(deadlines.count == 0)
    }

    @Test("what stands still is ended when its time is over, and others go on")
    func over() async throws {
        let (reached, goOn) = AsyncStream.makeStream(of: Void.self)
        async let other = deadlines.run(within: .seconds(3_600)) { _ in
            for await _ in reached { break }
            return 7
        }
        await #expect(throws: Deadlines.Over.self) {
            try await deadlines.run(within: .seconds(60)) { [instant] _ in
                instant.pass(.seconds(60))
                return try await Self.standStill()
            }
        }
        await #expect(throws: Deadlines.Over.self) {
            try await deadlines.run(within: .seconds(60), total: .seconds(5)) { [instant] _ in
                instant.pass(.seconds(5))
                return try await Self.standStill()
            }
        }
        goOn.yield()
        #expect(try await other == 7)
        #expect(deadlines.count == 0)
    }

    @Test("the clock stops when nothing is under way, and runs again for what comes then")
    func again() async throws {
        for _ in 0..<3 {
            #expect(!deadlines.isTicking)
            await #expect(throws: Deadlines.Over.self) {
                try await deadlines.run(within: .seconds(60)) { [instant, deadlines] _ in
                    #expect(deadlines.isTicking)
                    instant.pass(.seconds(60))
                    return try await Self.standStill()
                }
            }
            while deadlines.isTicking {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test("an end that the work takes for that of what it reads is no result")
    func takenForAnEnd() async throws {
        await #expect(throws: Deadlines.Over.self) {
            try await deadlines.run(within: .seconds(60)) { [instant] _ in
                instant.pass(.seconds(60))
                let (nothing, _) = AsyncStream.makeStream(of: Int.self)
                return await nothing.reduce(0, +)
            }
        }
    }

    @Test("work that gets on may take many times its time, but no more than it may in all")
    func renewed() async throws {
        let done = try await deadlines.run(within: .seconds(60)) { [instant] turn in
            for _ in 0..<100 {
                instant.pass(.seconds(59))
                turn.renew()
            }
            return "done"
        }
        #expect(done == "done")
        await #expect(throws: Deadlines.Over.self) {
            try await deadlines.run(within: .seconds(60), total: .seconds(600)) { [instant] turn in
                for _ in 0..<11 {
                    instant.pass(.seconds(59))
                    turn.renew()
                }
                return try await Self.standStill()
            }
        }
    }

    @Test("who waits for the work and is cancelled ends it")
    func cancelled() async throws {
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await deadlines.run(within: .seconds(3_600)) { _ in
                begin.yield()
                return try await Self.standStill()
            }
        }
        for await _ in began { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(deadlines.count == 0)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineService
import TidelineStore

@testable import TidelineSync

/// Sync that runs by itself, in a time that the test makes.
@Suite(.timeLimit(.minutes(1)))
struct ScheduleRunTests {
    private let world: World
    private let device: Device
    private let engine: SyncEngine
    private let sleep = ManualSleep()
    private let schedule = SyncSchedule(
        quiet: .milliseconds(300),
        interval: .seconds(60),
        firstRetry: .seconds(2),
        longestRetry: .seconds(100),
        listens: false
    )

    init() async throws {
        world = try World()
        device = try await world.device("a")
        let options = SyncOptions(
            retry: RetryPolicy(patience: .zero),
            sleep: { [sleep] in try await sleep.sleep($0) },
            random: { 1 },
            now: { DateTimeOffset(seconds: 1_800_000_000) }
        )
        engine = SyncEngine(store: device.store, client: device.client, options: options)
    }

    /// Runs the schedule while the test looks.
    private func running(
        signals: (any SyncSignals)? = nil,
        alone isAlone: Bool = false,
        _ body: () async throws -> Void
    ) async throws {
        let task = Task { [engine, schedule] in await engine.run(schedule, signals: signals, alone: isAlone) }
        do { try await body() } catch {
            task.cancel()
            await task.value
            throw error
        }
        task.cancel()
        await task.value
        #expect(sleep.count == 0)
    }

    private func parents() throws -> [String] { try world.rows("SELECT Name FROM Parents ORDER BY Id") }

    @Test(arguments: [false, true])
    func `it syncs at the beginning, then after each interval`(isAlone: Bool) async throws {
        try await device.update(.integer(1), ["Name": .string("uno")], in: "Parents")
        try await running(alone: isAlone) { () async throws in
            #expect(await sleep.next() == .milliseconds(300))
            #expect(try parents() == ["uno", "two", "three"])
            sleep.wake()
            #expect(await sleep.next() == .seconds(60))
            try world.execute("UPDATE Parents SET Name = 'dos' WHERE Id = 2")
            sleep.wake()
            #expect(await sleep.next() == .milliseconds(300))
            #expect(try device.store.syncLog().first?.received == 1)
        }
    }

    @Test func `a local change is sent after a moment of quiet`() async throws {
        try await running { () async throws in
            #expect(await sleep.next() == .milliseconds(300))
            sleep.wake()
            #expect(await sleep.next() == .seconds(60))
            try await device.update(.integer(1), ["Name": .string("uno")], in: "Parents")
            #expect(await sleep.next() == .milliseconds(300))
            #expect(try parents() == ["one", "two", "three"])
            sleep.wake()
            // The rest after the sync.
            #expect(await sleep.next() == .milliseconds(300))
            #expect(try parents() == ["uno", "two", "three"])
        }
    }

    @Test(arguments: [false, true])
    func `a sign-in that a person gives up stops it until a sync succeeds`(isAlone: Bool) async throws {
        var states = engine.status.makeAsyncIterator()
        device.transport.begin { _ in throw CancellationError() }
        try await running(alone: isAlone) { () async throws in
            var stopped: SyncStatus?
            while stopped?.phase != .stopped(until: nil), let state = await states.next() { stopped = state }
            #expect(stopped?.lastFailure?.code == "signInRequired")
            #expect(sleep.count == 0)
            device.transport.begin()
            #expect(try await engine.sync().sent == 0)
            #expect(await sleep.next() == .milliseconds(300))
            #expect(engine.unnotedFailure == nil)
        }
    }

    @Test func `a change that comes during a sync leads to one more`() async throws {
        let device = device
        let hasWritten = Atomic(false)
        device.transport.begin { _ in
            guard !hasWritten.exchange(true, ordering: .relaxed) else { return }
            try await device.update(.integer(1), ["Name": .string("late")], in: "Parents")
        }
        try await running { () async throws in
            #expect(await sleep.next() == .milliseconds(300))
            #expect(try parents() == ["one", "two", "three"])
            sleep.wake()
            // Noticed at the end of the sync or after it, the change may begin the wait for quiet twice.
            while let wait = await sleep.next(), wait != .seconds(60) {
                #expect(wait == .milliseconds(300))
                sleep.wake()
            }
            #expect(try parents() == ["late", "two", "three"])
            #expect(try device.store.syncLog().map(\.sent) == [1, 0, 0])
        }
    }

    @Test func `a sign of the service leads to a sync at once`() async throws {
        let (signs, sign) = AsyncStream.makeStream(of: SyncSign.self)
        try await running(signals: Signs(signs)) { () async throws in
            #expect(await sleep.next() == .milliseconds(300))
            sleep.wake()
            #expect(await sleep.next() == .seconds(60))
            try world.execute("UPDATE Parents SET Name = 'dos' WHERE Id = 2")
            sign.yield(SyncSign(.changed))
            #expect(await sleep.next() == .milliseconds(300))
            #expect(try device.store.syncLog().first?.received == 1)
        }
    }

    @Test func `a change that this device sent is told to it too, and is not asked for again`() async throws {
        let world = world
        let (signs, sign) = AsyncStream.makeStream(of: SyncSign.self)
        /// What the service tells of all that is there now.
        @Sendable func told() throws -> SyncSign {
            SyncSign(.changed, eventID: try world.service.notice(since: nil, for: .anonymous).id)
        }
        try await device.update(.integer(1), ["Name": .string("uno")], in: "Parents")
        // The first exchange sends the change, the second asks for what changed: told in between.
        device.transport.begin { index in
            if index == 1 { sign.yield(try told()) }
        }
        try await running(signals: Signs(signs)) { () async throws in
            #expect(await sleep.next() == .milliseconds(300))
            #expect(try parents() == ["uno", "two", "three"])
            sleep.wake()
            #expect(await sleep.next() == .seconds(60))
            #expect(device.transport.exchanges == 2)
            // Told late: after the sync.
            sign.yield(try told())
            // Of another one's change: it is asked for, once.
            try world.execute("UPDATE Parents SET Name = 'dos' WHERE Id = 2")
            sign.yield(try told())
            #expect(await sleep.next() == .milliseconds(300))
            sign.yield(try told())
            // Newest first; its own change, which comes back with the first, is nothing that it received.
            #expect(try device.store.syncLog().prefix(2).map(\.received) == [1, 0])
            sleep.wake()
            #expect(await sleep.next() == .seconds(60))
            #expect(device.transport.exchanges == 3)
            // A sign of nobody knows what is followed.
            sign.yield(SyncSign(.changed))
            #expect(await sleep.next() == .milliseconds(300))
            #expect(device.transport.exchanges == 4)
        }
    }

    @Test func `a sign of nobody knows what is followed, also where an answered one comes after it`() async throws {
        let world = world
        let (signs, sign) = AsyncStream.makeStream(of: SyncSign.self)
        try await device.update(.integer(1), ["Name": .string("uno")], in: "Parents")
        let engine = engine
        device.transport.begin { index in
            guard index == 1 else { return }
            engine.notice(.changed)
            sign.yield(SyncSign(.changed, eventID: try world.service.notice(since: nil, for: .anonymous).id))
        }
        try await running(signals: Signs(signs)) { () async throws in
            #expect(await sleep.next() == .milliseconds(300))
            #expect(device.transport.exchanges == 2)
            sleep.wake()
            #expect(await sleep.next() == .milliseconds(300))
            #expect(device.transport.exchanges == 3)
            sleep.wake()
            #expect(await sleep.next() == .seconds(60))
        }
    }

    @Test func `a sync that fails answers nothing that was told`() async throws {
        let world = world
        let (signs, sign) = AsyncStream.makeStream(of: SyncSign.self)
        try await running(signals: Signs(signs)) { () async throws in
            #expect(await sleep.next() == .milliseconds(300))
            sleep.wake()
            #expect(await sleep.next() == .seconds(60))
            let known = SyncSign(.changed, eventID: try world.service.notice(since: nil, for: .anonymous).id)
            device.transport.begin { _ in throw ClientError(.unreachable, "No connection.", advice: "Wait.") }
            _ = await #expect(throws: ClientError.self) { try await engine.sync() }
            #expect(await sleep.next() == .seconds(2))
            device.transport.begin()
            // The same as before, but who knows what the sync that failed has done.
            sign.yield(known)
            #expect(await sleep.next() == .milliseconds(300))
            sleep.wake()
            #expect(await sleep.next() == .milliseconds(300))
            #expect(device.transport.exchanges == 1)
        }
    }

    @Test func `what the service tells becomes a sign, and so does its coming back`() async {
        let (signals, signal) = AsyncStream.makeStream(of: ServiceSignal.self)
        signal.yield(ServiceSignal(isConnected: false, sets: nil))
        signal.yield(ServiceSignal(isConnected: true, sets: []))
        signal.yield(ServiceSignal(isConnected: true, sets: ["Parents"], eventID: "5"))
        signal.yield(ServiceSignal(isConnected: true, sets: nil))
        signal.finish()
        let signs = ServiceSigns(signals)
        #expect(await signs.next() == SyncSign(.reachable))
        #expect(await signs.next() == SyncSign(.changed, eventID: "5"))
        #expect(await signs.next() == SyncSign(.changed))
        #expect(await signs.next() == nil)
    }

    @Test func `offline it tries again, later each time, and as soon as the network is back`() async throws {
        let isOffline = Mutex(true)
        device.transport.begin { _ in
            if isOffline.withLock({ $0 }) { throw ClientError(.unreachable, "No connection.", advice: "Wait.") }
        }
        try await device.update(.integer(1), ["Name": .string("uno")], in: "Parents")
        var states = engine.status.makeAsyncIterator()
        try await running { () async throws in
            for seconds in [2, 4, 8] {
                #expect(await sleep.next() == .seconds(seconds))
                sleep.wake()
            }
            #expect(await sleep.next() == .seconds(16))
            while let state = await states.next() {
                if state.phase == .offline(until: DateTimeOffset(seconds: 1_800_000_016)) { break }
            }
            isOffline.withLock { $0 = false }
            engine.notice(.reachable)
            #expect(await sleep.next() == .milliseconds(300))
            sleep.wake()
            #expect(await sleep.next() == .milliseconds(300))
            #expect(try parents() == ["uno", "two", "three"])
            #expect(try device.store.syncLog().map(\.times) == [1, 4, 1])
        }
    }

    @Test func `what needs a person stops it until a sync succeeds`() async throws {
        let isSignedOut = Mutex(true)
        device.transport.begin { _ in
            if isSignedOut.withLock({ $0 }) { throw ClientError(.signInRequired, "Who?", advice: "Sign in.") }
        }
        var states = engine.status.makeAsyncIterator()
        try await running { () async throws in
            while let state = await states.next(), state.phase != .stopped(until: nil) {}
            #expect(sleep.count == 0)
            isSignedOut.withLock { $0 = false }
            #expect(try await engine.sync().sent == 0)
            #expect(await sleep.next() == .milliseconds(300))
            sleep.wake()
            #expect(await sleep.next() == .seconds(60))
        }
    }

    @Test func `what needs a person and may pass by itself says when the service is asked once more`() async throws {
        device.transport.begin { _ in throw ClientError(.forbidden, "No.", advice: "Ask the administrator.") }
        var states = engine.status.makeAsyncIterator()
        try await running { () async throws in
            let time = DateTimeOffset(seconds: 1_800_000_100)
            while let state = await states.next(), state.phase != .stopped(until: time) {}
            #expect(await sleep.next() == .seconds(100))
        }
    }

    @Test func `it begins once, goes on when it is begun again, and ends`() async throws {
        let isSignedOut = Mutex(true)
        device.transport.begin { _ in
            if isSignedOut.withLock({ $0 }) { throw ClientError(.signInRequired, "Who?", advice: "Sign in.") }
        }
        var states = engine.status.makeAsyncIterator()
        engine.start(schedule)
        while let state = await states.next(), state.phase != .stopped(until: nil) {}
        isSignedOut.withLock { $0 = false }
        engine.start(schedule)
        #expect(await sleep.next() == .milliseconds(300))
        await engine.stop()
        #expect(sleep.count == 0)
        await engine.stop()
    }

    @Test func `it ends with the store`() async throws {
        let task = Task { [engine, schedule] in await engine.run(schedule) }
        #expect(await sleep.next() == .milliseconds(300))
        try device.store.close()
        await task.value
        #expect(sleep.count == 0)
    }
}

/// Signs from a stream.
private final class Signs: SyncSignals {
    private let signs: AsyncStream<SyncSign>

    init(_ signs: AsyncStream<SyncSign>) { self.signs = signs }

    func next() async -> SyncSign? {
        for await sign in signs { return sign }
        return nil
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import TidelineClient
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore
@testable import TidelineSync

/// What an app is shown of sync.
struct SyncStatusTests {
    private let now = DateTimeOffset(seconds: 1_800_000_000)
    private let world: World
    private let device: Device
    private let engine: SyncEngine
    private let sleep = ManualSleep()

    init() async throws {
        world = try World()
        device = try await world.device("a")
        let options = SyncOptions(
            retry: RetryPolicy(patience: .zero),
            sleep: { _ in },
            random: { 0.5 },
            now: { DateTimeOffset(seconds: 1_800_000_000) }
        )
        engine = SyncEngine(store: device.store, client: device.client, options: options)
    }

    /// Reads states until one is as wanted, which has to come.
    private func wait(
        _ states: inout SyncStatuses.Iterator,
        until isWanted: (SyncStatus) -> Bool
    ) async throws -> SyncStatus {
        while let state = await states.next() {
            if isWanted(state) { return state }
        }
        throw CancellationError()
    }

    @Test func `the first state is that of now`() async throws {
        try await device.update(.integer(1), ["Name": .string("uno")], in: "Parents")
        var states = engine.status.makeAsyncIterator()
        let state = try #require(await states.next())
        #expect(state.phase == .idle)
        #expect(state.pendingTransactions == 1)
        #expect(state.quarantined == 0 && state.unseenConflicts == 0)
        #expect(state.lastSuccess == now && state.lastFailure == nil)
        #expect(!state.isCaughtUp)
    }

    @Test func `a write shows at once, and a sync brings the state back to caught up`() async throws {
        var states = engine.status.makeAsyncIterator()
        #expect(await states.next()?.isCaughtUp == true)
        try await device.update(.integer(1), ["Name": .string("uno")], in: "Parents")
        let written = try #require(await states.next())
        #expect(written.pendingTransactions == 1 && !written.isCaughtUp)
        _ = try await engine.sync()
        let done = try await wait(&states) { $0.phase == .idle && $0.pendingTransactions == 0 }
        #expect(done.isCaughtUp)
    }

    @Test func `the phases of a sync pass in their order`() async throws {
        try await device.update(.integer(1), ["Name": .string("uno")], in: "Parents")
        var states = engine.status.makeAsyncIterator()
        #expect(await states.next()?.phase == .idle)
        let seen = AsyncStream.makeStream(of: Void.self)
        device.transport.begin { _ in
            // Each exchange waits until the state before it was seen.
            for await _ in seen.stream { return }
        }
        let sync = Task { try await engine.sync() }
        let sending = try await wait(&states) { $0.phase == .sending }
        #expect(sending.done == 0 && sending.expected == 1 && sending.pendingTransactions == 1)
        seen.continuation.yield()
        let receiving = try await wait(&states) { $0.phase == .receiving }
        #expect(receiving.pendingTransactions == 0)
        seen.continuation.yield()
        #expect(try await sync.value.sent == 1)
        #expect(try await wait(&states) { $0.phase == .idle }.isCaughtUp)
    }

    @Test func `without a connection the state is offline, with the reason, and survives a restart`() async throws {
        device.transport.begin(fault: .dropBefore)
        await #expect(throws: ClientError.self) { try await engine.sync() }
        let again = SyncEngine(store: device.store, client: device.client)
        for engine in [engine, again] {
            var states = engine.status.makeAsyncIterator()
            let state = try #require(await states.next())
            #expect(state.phase == .offline(until: nil))
            #expect(state.lastFailure?.code == "interrupted")
            #expect(state.lastSuccess == now)
            #expect(!state.isCaughtUp)
        }
    }

    @Test(.covers("SB-W17", "SB-F115"))
    func `a sync that tries again is offline from the first refusal until the service answers`() async throws {
        try await device.update(.integer(1), ["Name": .string("uno")], in: "Parents")
        let options = SyncOptions(
            retry: RetryPolicy(base: .seconds(2), patience: .seconds(20)),
            sleep: { [sleep] in try await sleep.sleep($0) },
            random: { 1 },
            now: { DateTimeOffset(seconds: 1_800_000_000) }
        )
        let engine = SyncEngine(store: device.store, client: device.client, options: options)
        let isOffline = Mutex(true)
        device.transport.begin { _ in
            if isOffline.withLock({ $0 }) { throw ClientError(.unreachable, "No connection.", advice: "Wait.") }
        }
        var states = engine.status.makeAsyncIterator()
        let sync = Task { try await engine.sync() }
        #expect(await sleep.next() == .seconds(2))
        let first = try await wait(&states) { $0.phase == .offline(until: DateTimeOffset(seconds: 1_800_000_002)) }
        // Nothing has been written of a sync that has not ended.
        #expect(first.pendingTransactions == 1)
        #expect(first.lastFailure?.code == "unreachable")
        isOffline.withLock { $0 = false }
        sleep.wake()
        #expect(try await sync.value.sent == 1)
        let last = try await wait(&states) { $0.phase == .idle }
        #expect(last.lastFailure == nil && last.isCaughtUp)
    }

    @Test(.covers("SB-W17"))
    func `what an earlier sync failed of counts until the service answers this one`() {
        let store = StoreStatus(
            pendingTransactions: 1,
            sentTransactions: 0,
            quarantined: 0,
            conflicts: 0,
            lastFailure: SyncFailure(.offline, code: "unreachable", message: "No connection.", advice: "Wait.")
        )
        func phase(_ step: SyncProgress) -> SyncStatus.Phase { SyncActivity(step: step).status(store).phase }
        var answered = SyncProgress(.receiving)
        answered.hasAnswer = true
        var busy = SyncProgress(.sending)
        busy.failure = SyncFailure(.passing, code: "busy", message: "Busy.", advice: "")
        #expect(phase(SyncProgress(.sending)) == .offline(until: nil))
        #expect(phase(busy) == .sending)
        #expect(phase(answered) == .receiving)
    }

    @Test func `what needs a person stops`() async throws {
        device.transport.begin(fault: .unauthorized)
        await #expect(throws: ClientError.self) { try await engine.sync() }
        var states = engine.status.makeAsyncIterator()
        let state = try #require(await states.next())
        #expect(state.phase == .stopped(until: nil))
        #expect(state.lastFailure?.code == "signInRequired")
    }

    @Test func `what the service tells of makes the state not caught up until a sync`() async throws {
        var states = engine.status.makeAsyncIterator()
        #expect(await states.next()?.isCaughtUp == true)
        engine.notice(.changed)
        #expect(await states.next()?.isCaughtUp == false)
        _ = try await engine.sync()
        #expect(try await wait(&states) { $0.phase == .idle && $0.isCaughtUp }.pendingTransactions == 0)
    }

    @Test func `a refused transaction and a conflict are counted`() async throws {
        try await device.insert(["Code": .string("P9"), "Rank": .integer(9)], into: "Products")
        try world.execute("INSERT INTO Products (Code, Rank) VALUES ('X', 9)")
        try await device.update(.integer(1), ["Name": .string("mine")], in: "Parents")
        try world.execute("UPDATE Parents SET Name = 'theirs' WHERE Id = 1")
        _ = try await engine.sync()
        var states = engine.status.makeAsyncIterator()
        let state = try #require(await states.next())
        #expect(state.quarantined == 1)
        #expect(state.unseenConflicts == 1)
        #expect(state.isCaughtUp)
        try device.store.markConflictsSeen()
        #expect(await states.next()?.unseenConflicts == 0)
    }

    @Test func `a slow reader gets the newest, and the end when the store is closed`() async throws {
        var states = engine.status.makeAsyncIterator()
        #expect(await states.next()?.pendingTransactions == 0)
        for name in ["a", "b", "c"] {
            try await device.insert(["Name": .string(name), "Amount": .integer(0)], into: "Parents")
        }
        #expect(await states.next()?.pendingTransactions == 3)
        try device.store.close()
        #expect(await states.next() == nil)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
import TidelineModel
import TidelineStore

@testable import TidelineSync

/// What a sync leaves in the log of its store.
struct SyncReportLogTests {
    private let impatient = SyncOptions(
        retry: RetryPolicy(patience: .zero),
        sleep: { _ in },
        random: { 0.5 },
        now: { DateTimeOffset(seconds: 1_800_000_000) }
    )

    @Test func `a sync is an entry with what it sent and received`() async throws {
        let world = try World()
        let device = try await world.device("a")
        let before = try device.store.syncLog().first?.id ?? 0
        try await device.update(.integer(1), ["Name": .string("uno")], in: "Parents")
        try world.execute("UPDATE Parents SET Name = 'dos' WHERE Id = 2")
        let report = try await device.sync()
        let entry = try #require(try device.store.syncLog().first)
        #expect(entry.id > before)
        #expect((entry.sent, entry.received, entry.removed) == (report.sent, report.received, report.removed))
        #expect((entry.sent, entry.received) == (1, 1))
        #expect(entry.failure == nil)
        #expect(entry.bytesSent > 100 && entry.bytesReceived > 100)
        #expect(entry.startedAt == DateTimeOffset(seconds: 1_800_000_000))
        #expect(try device.store.status().lastSuccess == DateTimeOffset(seconds: 1_800_000_000))
    }

    @Test func `the first load of a clone is the first entry`() async throws {
        let device = try await World().device("a")
        let log = try device.store.syncLog()
        #expect(log.count == 1)
        #expect(log.first?.received == 9)
    }

    @Test func `a sync that fails is an entry with the reason, and with what was done before it`() async throws {
        let world = try World()
        let device = try await world.device("a")
        try await device.update(.integer(1), ["Name": .string("uno")], in: "Parents")
        let engine = SyncEngine(store: device.store, client: device.client, options: impatient)
        // The first exchange sends, the second asks for the changes.
        device.transport.begin(fault: .dropBefore, at: 1)
        await #expect(throws: ClientError.self) { try await engine.sync() }
        let entry = try #require(try device.store.syncLog().first)
        #expect(entry.sent == 1)
        #expect(entry.failure == SyncFailure(.offline, code: "interrupted", message: "Cut.", advice: ""))
        #expect(try device.store.status().lastFailure == entry.failure)
        device.transport.begin()
        _ = try await engine.sync()
        #expect(try device.store.status().lastFailure == nil)
    }

    @Test func `a cancelled sync leaves no entry`() async throws {
        let world = try World()
        let device = try await world.device("a")
        let before = try device.store.syncLog()
        let engine = SyncEngine(store: device.store, client: device.client, options: impatient)
        device.transport.begin { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await engine.sync() }
        #expect(try device.store.syncLog() == before)
        // The file is there as long as its world.
        withExtendedLifetime(world) {}
    }

    @Test(arguments: [
        (ClientError(.unreachable, "m", advice: "a") as any Error, SyncFailure.Kind.offline, true),
        (ClientError(.notOData, "m", advice: "a"), .offline, true),
        (ClientError(.busy, "m", advice: "a"), .passing, true),
        (ClientError(.signInRequired, "m", advice: "a"), .needsPerson, false),
        (ClientError(.forbidden, "m", advice: "a"), .needsPerson, true),
        (SyncError(.keepsChanging, "m", advice: "a"), .passing, true),
        (SyncError(.otherUser, "m", advice: "a"), .needsPerson, false),
        (SyncError(.otherService, "m", advice: "a"), .needsPerson, false),
        (LocalStoreError(.busy, message: "m"), .passing, true),
        (LocalStoreError(.full, message: "m"), .needsPerson, true),
        (LocalStoreError(.closed, message: "m"), .needsPerson, false),
    ])
    func `an error says whose turn it is, and whether it is tried again`(
        error: any Error,
        kind: SyncFailure.Kind,
        isRetried: Bool
    ) {
        let failure = SyncFailure(error)
        #expect(failure.kind == kind)
        #expect(failure.isRetried == isRetried)
        #expect(failure.message == "m")
        #expect(!failure.code.isEmpty)
    }
}

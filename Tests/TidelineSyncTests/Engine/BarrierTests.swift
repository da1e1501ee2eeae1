// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
import TidelineModel
import TidelineStore

@testable import TidelineSync

/// The point from which both sides have what the other had.
struct BarrierTests {
    private let world: World
    private let device: Device
    private let engine: SyncEngine

    init() async throws {
        world = try World()
        device = try await world.device("a")
        engine = SyncEngine(store: device.store, client: device.client, options: Device.options)
    }

    private func name(_ id: Int) async throws -> Value? {
        try await device.store.read { try $0.entity(Key([.integer(Int64(id))]), in: "Parents")?["Name"] }
    }

    @Test func `after it the service has what was written here, and the store what was written there`() async throws {
        try await device.update(.integer(1), ["Name": .string("here")], in: "Parents")
        try world.execute("UPDATE Parents SET Name = 'there' WHERE Id = 2")
        let report = try await engine.barrier()
        #expect(report.sent == 1 && report.received == 1)
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id = 1") == ["here"])
        #expect(try device.store.status().pendingTransactions == 0)
        #expect(try await name(2) == .string("there"))
    }

    @Test func `a sync that runs already is not enough: another follows`() async throws {
        let (world, device, engine) = (world, device, engine)
        let seen = AsyncStream.makeStream(of: Void.self)
        let go = AsyncStream.makeStream(of: Void.self)
        device.transport.begin { index in
            guard index == 0 else { return }
            seen.continuation.yield()
            for await _ in go.stream { return }
        }
        let running = Task { try await engine.sync() }
        for await _ in seen.stream { break }
        // The running sync has read its outbox, and its request for changes is on its way.
        try await device.update(.integer(1), ["Name": .string("late")], in: "Parents")
        let barrier = Task { try await engine.barrier() }
        for _ in 0..<100 { await Task.yield() }
        go.continuation.yield()
        #expect(try await running.value.sent == 0)
        #expect(try await barrier.value.sent == 1)
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id = 1") == ["late"])
    }

    @Test func `what the service refused is told`() async throws {
        try await device.insert(["Code": .string("P9"), "Rank": .integer(9)], into: "Products")
        try world.execute("INSERT INTO Products (Code, Rank) VALUES ('X', 9)")
        do {
            try await engine.barrier()
            Issue.record("It did not throw.")
        } catch let error as SyncError {
            #expect(error.code == .quarantined)
            #expect(error.quarantined.map { $0.changes.map(\.set) } == [["Products"]])
            #expect(error.message.hasPrefix("1 transaction is in quarantine: "))
        }
        let held = try #require(try device.store.quarantined().first)
        try device.store.discard(quarantined: held.id)
        #expect(try await engine.barrier().quarantined == 0)
    }

    @Test func `without a connection it throws, and nothing is lost`() async throws {
        try await device.update(.integer(1), ["Name": .string("here")], in: "Parents")
        device.transport.begin { _ in throw ClientError(.forbidden, "No.", advice: "") }
        await #expect(throws: ClientError.self) { try await engine.barrier() }
        #expect(try device.store.status().pendingTransactions == 1)
    }
}

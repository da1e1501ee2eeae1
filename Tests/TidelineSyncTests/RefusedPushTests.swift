// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync

/// What a sync writes, and leaves frozen, whose tries fail before anything of them is sent.
struct RefusedPushTests {
    /// A device of a service with one event to send.
    private func device(of served: ServedDomain) async throws -> Device {
        let device = try await served.device("a")
        try await device.insert(["OwnerId": .integer(1), "Text": .string("once")], into: "Events")
        return device
    }

    private func expectSent(_ device: Device, _ served: ServedDomain) async throws {
        #expect(try device.store.status().sentTransactions == 0)
        device.transport.begin()
        #expect(try await device.sync().sent == 1)
        #expect(try served.rows("Events", "Text") == ["once"])
        #expect(try await device.verify().differences == [])
    }

    @Test func `being offline is written once for all tries of a sync, and taken back when it gives up`() async throws {
        let served = try ServedDomain(.sqlite)
        let device = try await device(of: served)
        let store = device.store
        let before = try store.identity().nonce
        let nonces = Mutex<[GUID]>([])
        let counts = Mutex<[Int]>([])
        device.transport.begin(
            chance: { _ in .refuse },
            hook: { _ in
                let nonce = try store.identity().nonce
                nonces.withLock { $0.append(nonce) }
            }
        )
        var options = Device.options
        options.sleep = { _ in
            let count = try store.status().sentTransactions
            counts.withLock { $0.append(count) }
        }
        let engine = SyncEngine(store: store, client: device.client, options: options)
        await #expect(throws: ClientError.self) { try await engine.sync() }
        // Waits of 0.375, 0.75, 1.5, 3 and 6 seconds: with one of 12 they would be more than the patience of 20.
        let (frozen, seen) = (counts.withLock { $0 }, nonces.withLock { $0 })
        #expect(frozen == [1, 1, 1, 1, 1])
        let first = try #require(seen.first)
        #expect(seen == [first, first, first, first, first, first])
        #expect(first != before)
        #expect(try store.identity().nonce == first)
        try await expectSent(device, served)
    }

    @Test func `a sync that is cancelled while it waits leaves nothing frozen that was not sent`() async throws {
        let served = try ServedDomain(.sqlite)
        let device = try await device(of: served)
        device.transport.begin { _ in .refuse }
        let pause = ManualSleep()
        var options = Device.options
        options.sleep = { try await pause.sleep($0) }
        let engine = SyncEngine(store: device.store, client: device.client, options: options)
        let sync = Task { try await engine.sync() }
        #expect(await pause.next() == .milliseconds(375))
        #expect(try device.store.status().sentTransactions == 1)
        sync.cancel()
        await #expect(throws: CancellationError.self) { try await sync.value }
        try await expectSent(device, served)
    }
}

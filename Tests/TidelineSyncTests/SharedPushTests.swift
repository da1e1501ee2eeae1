// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineClient
import TidelineModel
import TidelineSync

@testable import TidelineStore

/// Two that sync one file at once, where one comes between what the other has read of the outbox and what it makes of that.
struct SharedPushTests {
    private func insert(_ text: String, on device: Device) async throws {
        try await device.insert(["OwnerId": .integer(1), "Text": .string(text)], into: "Events")
    }

    /// Sends an event whose answer is lost, and publishes the domain anew.
    private func loseAnswer(of device: Device, _ served: ServedDomain) async throws {
        try await insert("once", on: device)
        device.transport.begin { $0 == 0 ? .dropAfter : .dropBefore }
        await #expect(throws: ClientError.self) { try await device.sync() }
        device.transport.begin()
        #expect(try served.rows("Events", "Text") == ["once"])
        try served.publishAnew()
    }

    /// Lets the next push ask what the service takes, between what it reads and what it freezes.
    private func forgetPayloads(of device: Device) throws {
        try device.store.writing { connection in
            try connection.setMeta("payload_version", nil)
            return ((), [])
        }
    }

    private func expectUndecided(_ device: Device, _ served: ServedDomain) async throws {
        #expect(try served.rows("Events", "Text") == ["once"])
        #expect(try device.store.quarantined().map(\.code) == ["Undecided"])
        let status = try device.store.status()
        #expect(status.pendingTransactions == 0 && status.sentTransactions == 0)
        let id = try #require(try device.store.quarantined().first).id
        try device.store.discard(quarantined: id)
        #expect(try await device.sync().sent == 0)
        #expect(try served.rows("Events", "Text") == ["once"])
        #expect(try await device.verify().differences == [])
    }

    @Test(arguments: [true, false])
    func `what another sync found undecided at a new publication is not sent when its refusal comes`(
        isOneProcess: Bool
    ) async throws {
        let served = try ServedDomain(.sqlite)
        let (one, other) = try await served.twoOfOneFile(isOneProcess: isOneProcess)
        try await loseAnswer(of: one, served)
        let slow = RecordingTransport { request, body in
            let answer = try await one.transport.send(request, body: body)
            // It says that the epoch is another one, and comes when the other sync has been told the same.
            if request.method == .post, try one.store.quarantined().isEmpty { try await other.sync() }
            return answer
        }
        let client = ODataClient(session: Session(address: one.client.address, transport: slow))
        let report = try await SyncEngine(store: one.store, client: client, options: Device.options).sync()
        #expect(report.sent == 0)
        try await expectUndecided(one, served)
    }

    @Test(arguments: [true, false])
    func `what another sync found undecided is not sent though it was read before`(isOneProcess: Bool) async throws {
        let served = try ServedDomain(.sqlite)
        let (one, other) = try await served.twoOfOneFile(isOneProcess: isOneProcess)
        try await loseAnswer(of: one, served)
        try forgetPayloads(of: one)
        one.transport.begin { index in
            if index == 0 { try await other.sync() }
        }
        #expect(try await one.sync().sent == 0)
        one.transport.begin()
        try await expectUndecided(one, served)
    }

    @Test(arguments: [true, false])
    func `what another sync has sent and settled since it was read is neither sent again nor left as sent`(
        isOneProcess: Bool
    ) async throws {
        let served = try ServedDomain(.sqlite)
        let (one, other) = try await served.twoOfOneFile(isOneProcess: isOneProcess)
        for text in ["first", "second"] { try await insert(text, on: one) }
        try forgetPayloads(of: one)
        one.transport.begin { index in
            if index == 0 { try await other.sync() }
        }
        #expect(try await one.sync().sent == 0)
        one.transport.begin()
        #expect(try served.rows("Events", "Text").sorted() == ["first", "second"])
        let status = try one.store.status()
        #expect(status.pendingTransactions == 0 && status.sentTransactions == 0 && status.quarantined == 0)
        #expect(try one.store.identity().acknowledged == 2)
        #expect(try await one.verify().differences == [])
    }
}

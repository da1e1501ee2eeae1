// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineService
import TidelineSync
import TidelineTestSupport

@testable import TidelineStore

/// A domain that is taken away and published again over the same rows remembers no client.
struct RepublishedDemonstrations {
    private static let kinds: [ServedDomain.Kind] = [.sqlite, .postgres]

    private func event(_ text: String) -> [String: Value] { ["OwnerId": .integer(1), "Text": .string(text)] }

    /// A device with one event that was sent, whose answer was lost.
    private func device(of served: ServedDomain, arrives: Bool = true) async throws -> Device {
        let device = try await served.device("a")
        try await device.insert(event("once"), into: "Events")
        device.transport.begin { $0 == 0 && arrives ? .dropAfter : .dropBefore }
        await #expect(throws: ClientError.self) { try await device.sync() }
        #expect(try served.rows("Events", "Text") == (arrives ? ["once"] : []))
        device.transport.begin()
        return device
    }

    @Test(arguments: kinds)
    func `D4 what was sent without an answer is not sent again to a domain that is published anew`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        let device = try await device(of: served)
        try served.publishAnew()
        try await device.insert(event("later"), into: "Events")
        let report = try await device.sync()
        #expect(report.sent == 1 && report.quarantined == 1)
        #expect(try served.rows("Events", "Text").sorted() == ["later", "once"])
        #expect(try device.store.status().pendingTransactions == 0)
        let held = try device.store.quarantined()
        #expect(held.map(\.code) == ["Undecided"])
        try device.store.discard(quarantined: try #require(held.first).id)
        let after = try await device.sync()
        #expect(after.sent == 0 && after.quarantined == 0)
        #expect(try device.rows("Events").count == 2)
        #expect(try served.rows("Events", "Text").sorted() == ["later", "once"])
        #expect(try await device.verify().differences == [])
    }

    /// What a whole batch fails of without anything of it being carried out.
    private static let undone = [
        ClientError(.unreachable, "Nobody answers there.", advice: "", isUnsent: true),
        ClientError(.notFound, "", advice: "", status: 404, service: ODataError(code: "DomainNotFound", message: "")),
        ClientError(.busy, "", advice: "", status: 503, service: ODataError(code: "DomainUnavailable", message: "")),
    ]

    @Test(arguments: kinds, undone)
    func `D4 what surely did not arrive is sent to a domain that is published anew, as any other change`(
        kind: ServedDomain.Kind,
        failure: ClientError
    ) async throws {
        let served = try ServedDomain(kind)
        let device = try await served.device("a")
        try await device.insert(event("once"), into: "Events")
        device.transport.begin(hook: { _ in throw failure })
        await #expect(throws: ClientError.self) { try await device.sync() }
        #expect(try device.store.status().sentTransactions == 0)
        device.transport.begin()
        try served.publishAnew()
        let report = try await device.sync()
        #expect(report.sent == 1 && report.quarantined == 0)
        #expect(try served.rows("Events", "Text") == ["once"])
        #expect(try device.store.quarantined().isEmpty)
        #expect(try await device.verify().differences == [])
    }

    /// The same answers of others, who may give them in place of the service's own.
    private static let unproven = [
        ClientError(.unreachable, "Nobody answers there.", advice: ""),
        ClientError(.notFound, "", advice: "", status: 404, service: ODataError(code: "NotFound", message: "")),
        ClientError(.forbidden, "", advice: "", status: 403),
        ClientError(.busy, "", advice: "", status: 503),
    ]

    @Test(arguments: unproven)
    func `D4 what may have arrived is a person's to decide, whatever was answered in the service's place`(
        failure: ClientError
    ) async throws {
        let served = try ServedDomain(.sqlite)
        let device = try await served.device("a")
        try await device.insert(event("once"), into: "Events")
        device.transport.begin(hook: { _ in throw failure })
        await #expect(throws: ClientError.self) { try await device.sync() }
        device.transport.begin()
        try served.publishAnew()
        let report = try await device.sync()
        #expect(report.sent == 0 && report.quarantined == 1)
        #expect(try device.store.quarantined().map(\.code) == ["Undecided"])
        #expect(try served.rows("Events", "Text").isEmpty)
    }

    @Test(arguments: [0, 1])
    func `D4 what was sent once without an answer stays undecided, though a later attempt was refused`(
        sentAt: Int
    ) async throws {
        let served = try ServedDomain(.sqlite)
        let device = try await served.device("a")
        try await device.insert(event("once"), into: "Events")
        // Where it is sent at the second try, the first one was refused, and so are the others.
        device.transport.begin { $0 == sentAt ? .dropAfter : .refuse }
        await #expect(throws: ClientError.self) { try await device.sync() }
        #expect(device.transport.exchanges == 6)
        #expect(try served.rows("Events", "Text") == ["once"])
        // Sent along with it, this one has not left the device yet.
        try await device.insert(event("later"), into: "Events")
        device.transport.begin { _ in .refuse }
        await #expect(throws: ClientError.self) { try await device.sync() }
        #expect(try device.store.status().sentTransactions == 1)
        device.transport.begin()
        try served.publishAnew()
        let report = try await device.sync()
        #expect(report.sent == 1 && report.quarantined == 1)
        #expect(try device.store.quarantined().map(\.code) == ["Undecided"])
        #expect(try served.rows("Events", "Text").sorted() == ["later", "once"])
    }

    @Test(arguments: kinds)
    func `D4 what was not sent before a domain is published anew is sent to it`(kind: ServedDomain.Kind) async throws {
        let served = try ServedDomain(kind)
        let device = try await served.device("a")
        try await device.insert(event("once"), into: "Events")
        try served.publishAnew()
        let report = try await device.sync()
        #expect(report.sent == 1 && report.quarantined == 0)
        #expect(try served.rows("Events", "Text") == ["once"])
        #expect(try device.store.quarantined().isEmpty)
        #expect(try await device.verify().differences == [])
    }

    @Test(arguments: kinds)
    func `D4 what a store sent that knew no epoch is not sent again to a domain that is published anew`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        let transport = try await served.device("b").transport
        let store = try LocalStore.create(path: served.path(of: "own"), model: served.domain.model.asOnDevice())
        try await store.write { try $0.insert(event("once"), into: "Events") }
        // The model, the service document and the epoch, then the push.
        transport.begin { $0 < 3 ? nil : .dropAfter }
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        let client = ODataClient(session: session)
        await #expect(throws: ClientError.self) {
            try await StoreAttacher(client: client, options: Device.options).attach(store)
        }
        #expect(try served.rows("Events", "Text") == ["once"])
        transport.begin()
        try served.publishAnew()
        let report = try await SyncEngine(store: store, client: client, options: Device.options).sync()
        #expect(report.sent == 0 && report.quarantined == 1)
        #expect(try store.quarantined().map(\.code) == ["Undecided"])
        #expect(try served.rows("Events", "Text") == ["once"])
    }

    @Test
    func `D4 what was sent after the first answer that told an epoch is not sent again to another one`()
        async throws
    {
        let served = try ServedDomain(.sqlite)
        let device = try await served.device("a")
        try device.store.writing { connection in
            try connection.setMeta("epoch", nil)
            return ((), [])
        }
        for number in 0...100 { try await device.insert(event("\(number)"), into: "Events") }
        // The epoch is asked for and not told, as where the database cannot be read just then; a batch of 100 is answered, and
        // the answer to the last one is lost.
        device.transport.begin { $0 < 2 ? nil : $0 == 2 ? .dropAfter : .dropBefore }
        let transport = RecordingTransport { request, body in
            var answer = try await device.transport.send(request, body: body)
            if device.transport.exchanges == 1 { answer.head.headerFields[.tidelineEpoch] = nil }
            return answer
        }
        let client = ODataClient(session: Session(address: device.client.address, transport: transport))
        await #expect(throws: ClientError.self) {
            try await SyncEngine(store: device.store, client: client, options: Device.options).sync()
        }
        device.transport.begin()
        #expect(try served.rows("Events", "Text").count == 101)
        try served.publishAnew()
        let report = try await device.sync()
        #expect(report.sent == 0 && report.quarantined == 1)
        #expect(try device.store.quarantined().map(\.code) == ["Undecided"])
        #expect(try served.rows("Events", "Text").count == 101)
    }

    @Test(arguments: [0, 1, 2])
    func `D9 what a copy of a file inherited is not sent to a domain that is published anew, and what came later is`(
        sent: Int
    ) async throws {
        let served = try ServedDomain(.sqlite)
        let before = try await served.device("a")
        for (place, text) in ["one", "two"].enumerated() {
            try await before.insert(event(text), into: "Events")
            guard place < sent else { continue }
            before.transport.begin { $0 == 0 ? .dropAfter : .dropBefore }
            await #expect(throws: ClientError.self) { try await before.sync() }
            before.transport.begin()
        }
        try before.store.close()
        let copy = try await served.copied(before, as: "b")
        let original = try served.reopened(before)
        try await copy.insert(event("after"), into: "Events")
        try await original.sync()
        #expect(try served.rows("Events", "Text").sorted() == ["one", "two"])
        try served.publishAnew()
        let report = try await copy.sync()
        #expect(report.sent == 1 && report.quarantined == 2)
        #expect(try served.rows("Events", "Text").sorted() == ["after", "one", "two"])
        let held = try copy.store.quarantined()
        #expect(held.map(\.code) == ["Undecided", "Undecided"])
        // What this file has never sent, the other one may have.
        #expect(held.map { $0.message.hasPrefix("It was sent and not answered") } == [sent > 0, sent > 1])
        #expect(held.map { $0.message.hasPrefix("It waited when this file was copied") } == [sent < 1, sent < 2])
        for entry in held { try copy.store.discard(quarantined: entry.id) }
        for device in [copy, original] {
            try await device.sync()
            #expect(try await device.verify().differences == [])
        }
        #expect(try served.rows("Events", "Text").count == 3)
    }

    @Test func `D4 what builds on what may be done waits with it, and says so`() async throws {
        let served = try ServedDomain(.sqlite)
        let device = try await device(of: served)
        let row = try #require(try device.rows("Events").first)
        try await device.update(try #require(row["Id"]), ["Text": .string("changed")], in: "Events")
        try served.publishAnew()
        #expect(try await device.sync().quarantined == 2)
        let held = try device.store.quarantined()
        #expect(held.map(\.code) == ["Undecided", "DependsOnQuarantined"])
        #expect(held.last?.message == "The transaction builds on one that is in the quarantine.")
    }

    @Test(arguments: ServedDomain.Kind.allCases, [false, true])
    func `D10 what was sent without an answer is sent again to a server that went back to a backup`(
        kind: ServedDomain.Kind,
        arrives: Bool
    ) async throws {
        let served = try ServedDomain(kind)
        let restore = try served.ownBackup()
        let device = try await device(of: served, arrives: arrives)
        try restore()
        #expect(try served.rows("Events", "Text").isEmpty)
        let report = try await device.sync()
        #expect(report.sent == 1 && report.quarantined == 0)
        #expect(try served.rows("Events", "Text") == ["once"])
        #expect(try device.store.quarantined().isEmpty)
        #expect(try await device.verify().differences == [])
    }
}

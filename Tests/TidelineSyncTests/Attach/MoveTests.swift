// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import HTTPTypes
import Testing
import TidelineClient
import TidelineModel
import TidelineService
import TidelineStore
import TidelineSync

/// A store follows its service to another address, and to no other service.
struct MoveTests {
    private static let elsewhere = "https://data.example.org/odata/test/"

    /// A client of an address where a network leads to a service.
    private func client(_ address: String, _ transport: any Transport) throws -> ODataClient {
        ODataClient(session: Session(address: try ServiceAddress(address), transport: transport))
    }

    private func move(_ device: Device, with client: ODataClient) async throws -> SyncReport {
        try await StoreMover(client: client, options: Device.options).move(device.store)
    }

    /// A device with an event that was sent and not answered, and one that waits.
    private func device(of served: ServedDomain) async throws -> Device {
        let device = try await served.device("a")
        try await device.insert(["OwnerId": .integer(1), "Text": .string("unanswered")], into: "Events")
        device.transport.begin { $0 == 0 ? .dropAfter : .dropBefore }
        await #expect(throws: ClientError.self) { try await device.sync() }
        try await device.insert(["OwnerId": .integer(1), "Text": .string("waiting")], into: "Events")
        device.transport.begin()
        return device
    }

    @Test func `what waits goes to the new address once, and the rows go on from where they were`() async throws {
        let served = try ServedDomain(.sqlite)
        let device = try await device(of: served)
        let recorded = RecordingTransport(device.transport)
        let moved = try client(Self.elsewhere, recorded)
        let report = try await move(device, with: moved)
        #expect(report.sent == 2 && report.quarantined == 0 && report.conflicts == 0)
        #expect(try served.rows("Events", "Text").sorted() == ["unanswered", "waiting"])
        #expect(try device.rows("Events").count == 2)
        #expect(try device.store.identity().origin?.serviceURL == Self.elsewhere)
        // The service document and a look whose service it is, then the push, then what changed: no set is loaded.
        let asked = recorded.sent.map { "\($0.request.method) \($0.request.path ?? "")" }
        #expect(asked == ["GET /odata/test/"] + Array(repeating: "POST /odata/test/$batch", count: 3))
        #expect(recorded.sent.allSatisfy { $0.request.authority == "data.example.org" && $0.request.scheme == "https" })
        #expect(try await StoreVerifier(store: device.store, client: moved).verify().differences == [])
        // Once more is a sync.
        let again = try await move(device, with: moved)
        #expect(again.sent == 0 && again.received == 0)
    }

    @Test func `a domain that has another name is followed, and its sets are loaded anew`() async throws {
        let served = try ServedDomain(.sqlite)
        let device = try await served.device("a")
        var domain = served.domain
        domain.name = "renamed"
        let service = try ODataService(domain: domain, store: served.store, signingKey: Array(repeating: 7, count: 32))
        {
            Issue.record("The service failed (\($0)): \($1)")
        }
        let recorded = RecordingTransport(
            ServiceTransport { request, body in
                let response = service.respond(to: request, body: body, user: ServedDomain.ann)
                return TransportResponse(head: response.head, body: try response.body.all())
            }
        )
        try served.write { try $0.insert(["OwnerId": .integer(1), "Text": .string("later")], into: "Events") }
        try await device.insert(["OwnerId": .integer(1), "Text": .string("waiting")], into: "Events")
        let renamed = try client("http://127.0.0.1/odata/renamed/", recorded)
        let report = try await move(device, with: renamed)
        #expect(report.sent == 1 && report.quarantined == 0 && report.conflicts == 0)
        #expect(try served.rows("Events", "Text").sorted() == ["later", "waiting"])
        #expect(try device.rows("Events").count == 2)
        #expect(recorded.sent.allSatisfy { $0.request.path?.hasPrefix("/odata/renamed/") == true })
        #expect(try await StoreVerifier(store: device.store, client: renamed).verify().differences == [])
        let links = try device.store.subscriptions().map { $0.deltaLink ?? "" }
        #expect(links.count == 2 && links.allSatisfy { !$0.hasPrefix("/") && !$0.contains("://") })
    }

    @Test func `another publication is refused, and the store stays where it was`() async throws {
        let (served, other) = (try ServedDomain(.sqlite), try ServedDomain(.sqlite))
        let device = try await device(of: served)
        let transport = try await other.device("b").transport
        let error = await #expect(throws: SyncError.self) {
            try await move(device, with: try client(Self.elsewhere, transport))
        }
        #expect(error?.code == .otherService)
        #expect(error?.message.contains(Self.elsewhere) == true)
        #expect(try other.rows("Events", "Text").isEmpty)
        #expect(try await device.sync().sent == 2)
        #expect(try served.rows("Events", "Text").sorted() == ["unanswered", "waiting"])
    }

    @Test func `what is no service of OData is refused, and the store stays where it was`() async throws {
        let served = try ServedDomain(.sqlite)
        let device = try await device(of: served)
        let page = RecordingTransport { _, _ in
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/html"])
            return TransportResponse(head: head, body: Array("<html></html>".utf8))
        }
        let error = await #expect(throws: ClientError.self) {
            try await move(device, with: try client(Self.elsewhere, page))
        }
        #expect(error?.code == .notOData)
        #expect(page.sent.count == 1)
        #expect(try await device.sync().sent == 2)
    }

    @Test func `an engine of the address before sends nothing to it any more`() async throws {
        let served = try ServedDomain(.sqlite)
        let device = try await device(of: served)
        _ = try await move(device, with: try client(Self.elsewhere, device.transport))
        try await device.insert(["OwnerId": .integer(1), "Text": .string("after")], into: "Events")
        device.transport.begin()
        let error = await #expect(throws: SyncError.self) { try await device.sync() }
        #expect(error?.code == .otherService)
        #expect(error?.message.contains(Self.elsewhere) == true)
        #expect(device.transport.exchanges == 0)
        #expect(try device.store.status().pendingTransactions == 1)
    }

    @Test func `a sync that runs while the store is moved ends without an effect`() async throws {
        let served = try ServedDomain(.sqlite)
        let device = try await served.device("a")
        try served.write { try $0.insert(["OwnerId": .integer(1), "Text": .string("later")], into: "Events") }
        let moved = try client(Self.elsewhere, try await served.device("b").transport)
        // Its first exchange reads the changes.
        device.transport.begin { index in
            if index == 0 { _ = try await self.move(device, with: moved) }
        }
        let error = await #expect(throws: SyncError.self) { try await device.sync() }
        #expect(error?.code == .otherService)
        #expect(try device.rows("Events").count == 1)
        #expect(try await StoreVerifier(store: device.store, client: moved).verify().differences == [])
    }

    @Test(arguments: 0..<4) func `a move that is cut off goes on with the next`(exchange: Int) async throws {
        let served = try ServedDomain(.sqlite)
        let device = try await device(of: served)
        let moved = try client(Self.elsewhere, device.transport)
        device.transport.begin(fault: .dropAfter, at: exchange)
        // Two exchanges look whose service it is; the others are those of a sync, which asks again.
        if exchange < 2 {
            await #expect(throws: ClientError.self) { try await move(device, with: moved) }
            #expect(try device.store.identity().origin?.serviceURL == device.client.address.text)
        } else {
            _ = try? await move(device, with: moved)
            #expect(try device.store.identity().origin?.serviceURL == Self.elsewhere)
        }
        device.transport.begin()
        _ = try await move(device, with: moved)
        #expect(try served.rows("Events", "Text").sorted() == ["unanswered", "waiting"])
        #expect(try device.store.status().pendingTransactions == 0)
        #expect(try await StoreVerifier(store: device.store, client: moved).verify().differences == [])
    }

    @Test func `an address is the same however it is written`() async throws {
        let served = try ServedDomain(.sqlite)
        let device = try await device(of: served)
        let file = try DatabaseQueue(path: served.path(of: "a"))
        try await file.write { database in
            try database.execute(
                sql: "UPDATE tideline_meta SET value = 'HTTP://127.0.0.1:80/odata/test' WHERE name = 'service_url'"
            )
        }
        try file.close()
        #expect(try await device.sync().sent == 2)
        let there = try await move(device, with: device.client)
        #expect(there.sent == 0)
        try await device.insert(["OwnerId": .integer(1), "Text": .string("after")], into: "Events")
        let report = try await move(device, with: try client(Self.elsewhere, device.transport))
        #expect(report.sent == 1)
        #expect(try device.store.identity().origin?.serviceURL == Self.elsewhere)
    }

    @Test func `what was sent and never answered goes to no service that was not heard of`() async throws {
        let (served, other) = (try ServedDomain(.sqlite), try ServedDomain(.sqlite))
        let transport = try await served.device("b").transport
        let store = try LocalStore.create(path: served.path(of: "own"), model: served.domain.model.asOnDevice())
        try await store.write { try $0.insert(["OwnerId": .integer(1), "Text": .string("own")], into: "Events") }
        // The model, the service document and the epoch, then the push.
        transport.begin { $0 < 3 ? nil : .dropAfter }
        let attacher = StoreAttacher(
            client: try client("http://127.0.0.1/odata/test/", transport),
            options: Device.options
        )
        await #expect(throws: ClientError.self) { try await attacher.attach(store) }
        #expect(try served.rows("Events", "Text") == ["own"])
        try await forgetEpoch(of: "own", served)
        let stranger = try client(Self.elsewhere, try await other.device("c").transport)
        let error = await #expect(throws: SyncError.self) {
            try await StoreMover(client: stranger, options: Device.options).move(store)
        }
        #expect(error?.code == .otherService)
        #expect(try other.rows("Events", "Text").isEmpty)
        transport.begin()
        let known = try client("http://127.0.0.1/odata/test/", transport)
        #expect(try await SyncEngine(store: store, client: known, options: Device.options).sync().sent == 1)
        #expect(try served.rows("Events", "Text") == ["own"])
    }

    @Test func `what the other file of a copy may have sent goes to no service that was not heard of`() async throws {
        let (served, other) = (try ServedDomain(.sqlite), try ServedDomain(.sqlite))
        let original = try await served.device("a")
        try await original.insert(["OwnerId": .integer(1), "Text": .string("own")], into: "Events")
        try original.store.close()
        let copy = try await served.copied(original, as: "b")
        try await forgetEpoch(of: "b", served)
        #expect(try copy.store.status().sentTransactions == 0)
        let stranger = try client(Self.elsewhere, try await other.device("c").transport)
        let error = await #expect(throws: SyncError.self) { try await move(copy, with: stranger) }
        #expect(error?.code == .otherService)
        #expect(try other.rows("Events", "Text").isEmpty)
        #expect(try await copy.sync().sent == 1)
        #expect(try served.rows("Events", "Text") == ["own"])
        #expect(try copy.store.identity().epoch != nil)
    }

    /// Makes a store one that was told no epoch, as those of earlier versions that were attached.
    private func forgetEpoch(of name: String, _ served: ServedDomain) async throws {
        let file = try DatabaseQueue(path: served.path(of: name))
        try await file.write { try $0.execute(sql: "DELETE FROM tideline_meta WHERE name = 'epoch'") }
        try file.close()
    }

    @Test func `a store without a service has none to follow`() async throws {
        let served = try ServedDomain(.sqlite)
        let store = try LocalStore.create(path: served.path(of: "own"), model: served.domain.model.asOnDevice())
        let transport = RecordingTransport { _, _ in throw ClientError(.unreachable, "Nobody is there.", advice: "") }
        let client = try client(Self.elsewhere, transport)
        let error = await #expect(throws: SyncError.self) {
            try await StoreMover(client: client, options: Device.options).move(store)
        }
        #expect(error?.code == .noService)
        #expect(transport.sent.isEmpty)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineClient
import TidelineModel
import TidelineService
import TidelineStore
import TidelineSync

/// What is wrong with one value or one table of the service holds nothing else up.
struct BrokenSetTests {
    private func entity(_ device: Device, _ id: Int64, in set: String) throws -> [String: Value]? {
        try device.store.read { try $0.entity(Key([.integer(id)]), in: set) }
    }

    private func parent(_ device: Device, _ id: Int64) throws -> [String: Value] {
        try #require(try entity(device, id, in: "Parents"))
    }

    @Test func `a value that is none of its type comes as null, and the sync says so`() async throws {
        let world = try World(fails: true)
        let device = try await world.device("a")
        try world.execute("UPDATE Parents SET Amount = 'many', Name = 'first' WHERE Id = 1")
        try world.execute("UPDATE Parents SET Amount = 21 WHERE Id = 2")
        let report = try await device.sync()
        #expect(report.received == 2)
        #expect(report.leftOut == ["Parents.Amount: 1 value that is none of its type, so null"])
        let first = try parent(device, 1)
        #expect(first["Amount"] == .null && first["Name"] == .string("first"))
        #expect(try parent(device, 2)["Amount"] == .integer(21))
        // A new device gets the same, and neither finds a difference.
        for device in [device, try await world.device("b")] {
            #expect(try parent(device, 1) == first)
            let differences = try await device.verify().differences
            #expect(differences == [])
        }
        try world.execute("UPDATE Parents SET Amount = 11 WHERE Id = 1")
        #expect(try await device.sync() == SyncReport(received: 1))
        #expect(try parent(device, 1)["Amount"] == .integer(11))
    }

    @Test func `a change of another property of such a row is sent, and one of it puts it right`() async throws {
        let world = try World(fails: true)
        let device = try await world.device("a")
        try world.execute("UPDATE Parents SET Amount = 'many' WHERE Id = 1")
        _ = try await device.sync()
        try await device.update(.integer(1), ["Name": .string("mine")], in: "Parents")
        #expect(try await device.sync().sent == 1)
        #expect(try world.rows("SELECT Name, Amount FROM Parents WHERE Id = 1") == ["mine|many"])
        try await device.update(.integer(1), ["Amount": .integer(5)], in: "Parents")
        #expect(try await device.sync().sent == 1)
        #expect(try world.rows("SELECT Amount, typeof(Amount) FROM Parents WHERE Id = 1") == ["5|integer"])
    }

    /// What the service would say where it cannot read one set, by the place of that set in the answer.
    private static func breaking(_ body: [UInt8], _ id: String) throws -> [UInt8] {
        guard var answer = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
            var items = answer["responses"] as? [[String: Any]], items.count == 3
        else { return body }
        for place in items.indices where items[place]["id"] as? String == id {
            items[place]["status"] = 500
            items[place]["body"] = ["error": ["code": "InternalError", "message": "The server failed."]]
        }
        answer["responses"] = items
        return Array(try JSONSerialization.data(withJSONObject: answer))
    }

    @Test func `a set that the service cannot read holds no other one up, and is named`() async throws {
        let world = try World()
        let cloned = try await world.device("a")
        // The sets are asked for by their names: Children, Parents, Products.
        let transport = ServiceTransport { [service = world.service] request, body in
            let response = service.respond(to: request, body: body, user: .anonymous)
            return TransportResponse(head: response.head, body: try Self.breaking(response.body.all(), "0"))
        }
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        let device = Device(
            name: "a",
            store: cloned.store,
            client: ODataClient(session: session),
            transport: transport
        )
        try world.execute("INSERT INTO Children (ParentId, Label) VALUES (1, 'new')")
        try world.execute("UPDATE Parents SET Name = 'first' WHERE Id = 1")
        try await device.insert(["Name": .string("mine")], into: "Parents")
        let error = try #require(await #expect(throws: ClientError.self) { try await device.sync() })
        #expect(error.message == "Children: The server failed.")
        #expect(try parent(device, 1)["Name"] == .string("first"))
        #expect(try parent(device, 4)["Name"] == .string("mine"))
        #expect(try device.store.status().pendingTransactions == 0)
        // And again, from there.
        try world.execute("UPDATE Parents SET Name = 'again' WHERE Id = 1")
        try await device.update(.integer(4), ["Note": .string("later")], in: "Parents")
        await #expect(throws: ClientError.self) { try await device.sync() }
        #expect(try parent(device, 1)["Name"] == .string("again"))
        #expect(try world.rows("SELECT Note FROM Parents WHERE Id = 4") == ["later"])
        #expect(try entity(device, 4, in: "Children") == nil)
        // Mended, the changes since the last that came.
        #expect(try await cloned.sync() == SyncReport(received: 1))
        #expect(try entity(device, 4, in: "Children")?["Label"] == .string("new"))
        let differences = try await cloned.verify().differences
        #expect(differences == [])
    }
}

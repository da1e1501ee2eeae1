// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing
import TidelineClient
import TidelineModel
import TidelineOData
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
        #expect(report.leftOut == ["Parents.Amount: 1 value that is NaN or none of its type, so null"])
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

    @Test func `NaN, which SQLite does not hold, is null on a device, and the sync says so`() async throws {
        let domain = try ChangingDomain(
            .postgres,
            """
            CREATE TABLE "Weights" ("Id" int PRIMARY KEY, "Kilos" double precision NOT NULL, "Grams" real, "Name" text);
            INSERT INTO "Weights" VALUES (1, 'NaN', 'NaN', 'first'), (2, 2.5, 'Infinity', 'second');
            """
        )
        let device = try await domain.device("a")
        #expect(try entity(device, 1, in: "Weights")?["Kilos"] == .null)
        #expect(try entity(device, 2, in: "Weights")?["Grams"] == .double(.infinity))
        #expect(try await device.verify().differences == [])
        try domain.run(#"UPDATE "Weights" SET "Name" = 'changed'; UPDATE "Weights" SET "Grams" = 'NaN' WHERE "Id" = 2"#)
        let report = try await device.sync()
        #expect(report.received == 2)
        #expect(
            report.leftOut == [
                "Weights.Grams: 2 values that are NaN or none of its type, so null",
                "Weights.Kilos: 1 value that is NaN or none of its type, so null",
            ]
        )
        #expect(try entity(device, 2, in: "Weights")?["Grams"] == .null)
        // What the device writes beside it leaves it what it is.
        try await device.update(.integer(1), ["Name": .string("mine")], in: "Weights")
        #expect(try await device.sync().sent == 1)
        #expect(try domain.rows("Weights", "Id", "Kilos", "Name") == ["1|nan|mine", "2|2.5|changed"])
        #expect(try await device.verify().differences == [])
        try domain.run(#"UPDATE "Weights" SET "Kilos" = 1.5, "Grams" = 1 WHERE "Id" = 1"#)
        #expect(try await device.sync() == SyncReport(received: 1))
        #expect(try entity(device, 1, in: "Weights")?["Kilos"] == .double(1.5))
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

    @Test func `a value that is none of its type is not written over unseen`() async throws {
        let world = try World(
            schema: World.schema + "CREATE TABLE Odds (Id INTEGER PRIMARY KEY, N INTEGER);"
                + "INSERT INTO Odds VALUES (1, NULL), (2, NULL), (3, NULL);",
            fails: true
        )
        let device = try await world.device("a")
        try await device.update(.integer(1), ["N": .integer(5)], in: "Odds")
        try await device.delete(.integer(3), in: "Odds")
        try world.execute("UPDATE Odds SET N = 'many' WHERE Id IN (1, 3)")
        #expect(try await device.sync().conflicts == 2)
        #expect(try world.rows("SELECT Id, N FROM Odds WHERE Id IN (1, 3)") == ["1|many", "3|many"])
        let conflict = try #require(try device.store.conflicts().first { $0.key == Key([.integer(1)]) })
        let number = try #require(conflict.properties.first)
        #expect(number.name == "N" && number.mine == .integer(5) && number.theirs == .null && !number.mineWon)
        // Another such value is another version.
        try await device.delete(.integer(3), in: "Odds")
        try world.execute("UPDATE Odds SET N = 'more' WHERE Id = 3")
        #expect(try await device.sync().conflicts == 1)
        #expect(try world.rows("SELECT N FROM Odds WHERE Id = 3") == ["more"])
        #expect(try await device.verify().differences == [])
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

    /// A device of that store, to which something happens with each answer of the service.
    private func device(
        _ cloned: Device,
        of world: World,
        _ spoil: @escaping @Sendable (HTTPRequest, inout TransportResponse) throws -> Void
    ) throws -> Device {
        let transport = ServiceTransport { [service = world.service] request, body in
            let answer = service.respond(to: request, body: body, user: .anonymous)
            var response = TransportResponse(head: answer.head, body: try answer.body.all())
            try spoil(request, &response)
            return response
        }
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        return Device(
            name: cloned.name,
            store: cloned.store,
            client: ODataClient(session: session),
            transport: transport
        )
    }

    @Test func `a set that the service cannot read holds no other one up, and is named`() async throws {
        let world = try World()
        let cloned = try await world.device("a")
        // The sets are asked for by their names: Children, Parents, Products.
        let device = try device(cloned, of: world) { _, response in
            response.body = try Self.breaking(response.body, "0")
        }
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

    @Test func `a row whose key is none of its type is never passed over in silence`() async throws {
        let world = try World(fails: true)
        let device = try await world.device("a")
        // An INTEGER PRIMARY KEY takes 64 bits, and was published when there were small ones alone.
        try world.execute("INSERT INTO Parents (Id, Name) VALUES (3000000000, 'far'), (4, 'near')")
        try world.execute("INSERT INTO Children (ParentId, Label) VALUES (2, 'new')")
        let error = try #require(await #expect(throws: ClientError.self) { try await device.sync() })
        #expect(error.message.hasPrefix("Parents: "))
        #expect(error.service?.code == "UnreadableValue")
        #expect(try entity(device, 4, in: "Children")?["Label"] == .string("new"))
        #expect(try entity(device, 4, in: "Parents") == nil)
        try world.execute("UPDATE Parents SET Id = 5 WHERE Id = 3000000000")
        #expect(try await device.sync().received == 2)
        #expect(try parent(device, 4)["Name"] == .string("near"))
        #expect(try parent(device, 5)["Name"] == .string("far"))
        let differences = try await device.verify().differences
        #expect(differences == [])
    }

    @Test func `a set with a row that has no key is not loaded, and holds no other one up`() async throws {
        let world = try World(
            schema: World.schema + "CREATE TABLE Odds (Code TEXT PRIMARY KEY, N INTEGER NOT NULL);",
            fails: true
        )
        let device = try await world.device("a")
        // Asked for with another filter, a set has to be loaded.
        let others = try device.store.subscriptions().filter { $0.set != "Odds" }
        try device.store.setSubscriptions(others + [Subscription(set: "Odds", filter: "N lt 5")])
        // SQLite takes a null in a key that is not declared otherwise.
        try world.execute("INSERT INTO Odds VALUES (NULL, 1), ('a', 2)")
        try world.execute("UPDATE Parents SET Name = 'first' WHERE Id = 1")
        let error = try #require(await #expect(throws: ClientError.self) { try await device.sync() })
        #expect(error.code == .unreadableAnswer && error.message == "Odds: A row arrived without a key.")
        #expect(try parent(device, 1)["Name"] == .string("first"))
        try world.execute("UPDATE Odds SET Code = 'b' WHERE Code IS NULL")
        #expect(try await device.sync().received == 2)
        let differences = try await device.verify().differences
        #expect(differences == [])
    }

    @Test func `a set that cannot be loaded holds no other one up`() async throws {
        let world = try World()
        let cloned = try await world.device("a")
        // Asked for with another filter, a set has to be loaded.
        let others = try cloned.store.subscriptions().filter { $0.set != "Children" }
        try cloned.store.setSubscriptions(others + [Subscription(set: "Children", filter: "Label ne 'x'")])
        try world.execute("INSERT INTO Children (ParentId, Label) VALUES (1, 'new')")
        try world.execute("UPDATE Parents SET Name = 'first' WHERE Id = 1")
        let broken = try device(cloned, of: world) { request, response in
            guard request.path?.hasPrefix("/odata/test/Children") == true else { return }
            let failure = #"{"error":{"code":"InternalError","message":"The server failed."}}"#
            let head = HTTPResponse(status: 500, headerFields: [.contentType: "application/json"])
            response = TransportResponse(head: head, body: Array(failure.utf8))
        }
        try await broken.insert(["Name": .string("mine")], into: "Parents")
        let error = try #require(await #expect(throws: ClientError.self) { try await broken.sync() })
        #expect(error.message == "Children: The server failed.")
        #expect(error.code == .serverFailure)
        #expect(try parent(broken, 1)["Name"] == .string("first"))
        #expect(try parent(broken, 4)["Name"] == .string("mine"))
        #expect(try entity(broken, 4, in: "Children") == nil)
        // What it had of the set stays.
        #expect(try entity(broken, 1, in: "Children")?["Label"] == .string("a"))
        #expect(try broken.store.status().pendingTransactions == 0)
        #expect(try await cloned.sync() == SyncReport(received: 1))
        #expect(try entity(cloned, 4, in: "Children")?["Label"] == .string("new"))
        let differences = try await cloned.verify().differences
        #expect(differences == [])
    }

    @Test func `what was inserted here and is gone on the service goes, also while another set cannot be read`()
        async throws
    {
        let world = try World()
        let cloned = try await world.device("a")
        let device = try device(cloned, of: world) { _, response in
            response.body = try Self.breaking(response.body, "0")
        }
        try await device.insert(["Name": .string("mine")], into: "Parents")
        // After the push, before the pull: no delta tells of the row.
        device.transport.begin { if $0 == 1 { try world.execute("DELETE FROM Parents WHERE Id = 4") } }
        await #expect(throws: ClientError.self) { try await device.sync() }
        #expect(try entity(device, 4, in: "Parents") == nil)
        #expect(try device.store.status().pendingTransactions == 0)
    }
}

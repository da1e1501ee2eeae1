// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync

/// Two devices that insert a row of the same key.
struct SameRowTests {
    private static let schema = """
        CREATE TABLE Items (Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL);
        CREATE TABLE Tags (Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL);
        CREATE TABLE ItemTags (ItemId INTEGER NOT NULL REFERENCES Items(Id), TagId INTEGER NOT NULL REFERENCES Tags(Id),
            Note TEXT, PRIMARY KEY (ItemId, TagId));
        INSERT INTO Items VALUES (1, 'lamp'), (2, 'chair');
        INSERT INTO Tags VALUES (1, 'red'), (2, 'old');
        """

    private func tie(_ device: Device, _ pairs: [(Int64, Int64)], note: Value = .null, name: String) async throws {
        _ = try await device.store.write { transaction in
            for (item, tag) in pairs {
                let row: [String: Value] = ["ItemId": .integer(item), "TagId": .integer(tag), "Note": note]
                _ = try transaction.insert(row, into: "ItemTags")
            }
            try transaction.update(Key([.integer(2)]), ["Name": .string(name)], in: "Items")
        }
    }

    @Test func `the same row is one row, and what came with it is sent`() async throws {
        let world = try World(schema: Self.schema)
        let (a, b) = (try await world.device("a"), try await world.device("b"))
        try await tie(a, [(1, 1), (1, 2)], name: "stool")
        try await tie(b, [(1, 1), (1, 2), (2, 2)], name: "stool")
        #expect(try await a.sync().sent == 1)
        let report = try await b.syncUntilDone()
        #expect(report.sent == 1 && report.quarantined == 0 && report.conflicts == 0)
        #expect(try world.rows("SELECT ItemId, TagId FROM ItemTags ORDER BY 1, 2") == ["1|1", "1|2", "2|2"])
        #expect(try b.store.status().pendingTransactions == 0)
        try await a.sync()
        for device in [a, b] {
            let differences = try await device.verify().differences
            #expect(differences == [])
        }
    }

    @Test func `what was changed in the same row since its insert was sent is sent as a change of it`() async throws {
        let world = try World(schema: Self.schema)
        let (a, b) = (try await world.device("a"), try await world.device("b"))
        try await tie(a, [(1, 1)], name: "chair")
        try await tie(b, [(1, 1)], name: "stool")
        #expect(try await a.sync().sent == 1)
        // While the insert is on its way.
        b.transport.begin { [store = b.store] in
            guard $0 == 0 else { return }
            let key = Key([.integer(1), .integer(1)])
            try await store.write { _ = try $0.update(key, ["Note": .string("mine")], in: "ItemTags") }
        }
        let report = try await b.syncUntilDone()
        #expect(report == SyncReport(sent: 2, received: 0))
        #expect(try world.rows("SELECT * FROM ItemTags") == ["1|1|mine"])
        #expect(try world.rows("SELECT Name FROM Items WHERE Id = 2") == ["stool"])
        try await a.sync()
        for device in [a, b] {
            let differences = try await device.verify().differences
            #expect(differences == [])
        }
    }

    @Test func `another row of the key is refused, as the service says it, and is there when it is given up`()
        async throws
    {
        let world = try World(schema: Self.schema)
        let b = try await world.device("b")
        try world.execute("INSERT INTO ItemTags VALUES (1, 1, 'theirs')")
        try await tie(b, [(1, 1)], note: .string("mine"), name: "stool")
        #expect(try await b.syncUntilDone().quarantined == 1)
        let entry = try #require(try b.store.quarantined().first)
        #expect(entry.code == "DuplicateKey" && entry.status == 409)
        #expect(try world.rows("SELECT Name FROM Items WHERE Id = 2") == ["chair"])
        try b.store.discard(quarantined: entry.id)
        try await b.sync()
        #expect(try world.rows("SELECT Note FROM ItemTags") == ["theirs"])
        let differences = try await b.verify().differences
        #expect(differences == [])
    }

    /// Found by the simulator: seed 149873.
    ///
    /// No delta tells of a row that came and went between two pulls.
    @Test(arguments: [Value.string("mine"), .null])
    func `one that the service has no more when the next pull comes is gone here too`(note: Value) async throws {
        let world = try World(schema: Self.schema)
        let b = try await world.device("b")
        try world.execute("INSERT INTO ItemTags VALUES (1, 1, 'mine')")
        try await tie(b, [(1, 1)], note: note, name: "stool")
        // The push, the look at the row, and then the pull, or one push more before it.
        b.transport.begin { [world] in if $0 == 2 { try world.execute("DELETE FROM ItemTags") } }
        let report = try await b.sync()
        #expect(report.quarantined == (note == .null ? 1 : 0))
        if let entry = try b.store.quarantined().first { try b.store.discard(quarantined: entry.id) }
        try await b.sync()
        let row = try await b.store.read { try $0.entity(Key([.integer(1), .integer(1)]), in: "ItemTags") }
        #expect(row == nil)
        let differences = try await b.verify().differences
        #expect(differences == [])
    }

    /// Found by the simulator: seed 162213.
    @Test(arguments: [false, true])
    func `an insert that was refused for a row that is gone since is refused all the same, whatever it refers to`(
        isOfNewRow: Bool
    ) async throws {
        let tables = """
            CREATE TABLE Rooms (Code TEXT NOT NULL PRIMARY KEY, Name TEXT);
            CREATE TABLE Photos (Id INTEGER PRIMARY KEY AUTOINCREMENT, ItemId INTEGER NOT NULL REFERENCES Items(Id));
            """
        let world = try World(schema: Self.schema + tables)
        let b = try await world.device("b")
        let item = isOfNewRow ? try await b.insert(["Name": .string("desk")], into: "Items").values[0] : .integer(1)
        try await b.store.write { transaction in
            _ = try transaction.insert(["Code": .string("r"), "Name": .string("mine")], into: "Rooms")
            _ = try transaction.insert(["ItemId": item], into: "Photos")
        }
        try world.execute("INSERT INTO Rooms VALUES ('r', 'theirs')")
        b.transport.begin { $0 == 0 ? .dropAfter : .dropBefore }
        await #expect(throws: ClientError.self) { try await b.sync() }
        b.transport.begin()
        try world.execute("DELETE FROM Rooms")
        #expect(try await b.syncUntilDone().quarantined == 1)
        let entry = try #require(try b.store.quarantined().first)
        #expect(entry.code == "DuplicateKey" && entry.status == 409)
        #expect(try world.rows("SELECT ItemId FROM Photos") == [])
        try b.store.retry(quarantined: entry.id)
        #expect(try await b.syncUntilDone().sent == 1)
        #expect(try world.rows("SELECT Name FROM Rooms") == ["mine"])
        #expect(try world.rows("SELECT ItemId FROM Photos") == [isOfNewRow ? "3" : "1"])
    }

    @Test func `a row whose key came with the answer before meets the one that the service has`() async throws {
        let trigger = """
            CREATE TRIGGER Tied AFTER INSERT ON Items BEGIN INSERT INTO ItemTags (ItemId, TagId) VALUES (NEW.Id, 1); END;
            """
        let world = try World(schema: Self.schema + trigger)
        let b = try await world.device("b")
        let item = try await b.insert(["Name": .string("desk")], into: "Items").values[0]
        _ = try await b.store.write { try $0.insert(["ItemId": item, "TagId": .integer(1)], into: "ItemTags") }
        let report = try await b.syncUntilDone()
        #expect(report.quarantined == 0 && report.conflicts == 0)
        #expect(try world.rows("SELECT ItemId, TagId FROM ItemTags") == ["3|1"])
        #expect(try b.store.status().pendingTransactions == 0)
        #expect(try await b.verify().differences == [])
    }
}

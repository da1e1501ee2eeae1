// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Transactions that refer to rows whose keys the device gave in earlier ones.
struct GivenKeyTests {
    private static let schema =
        World.schema + """
            CREATE TABLE Stocks (Id INTEGER PRIMARY KEY AUTOINCREMENT, Code TEXT NOT NULL REFERENCES Products(Code));
            CREATE TABLE Racks (
                Code TEXT NOT NULL REFERENCES Products(Code) ON DELETE CASCADE, Place INTEGER NOT NULL, Name TEXT,
                PRIMARY KEY (Code, Place));
            """

    private func device(_ world: World) async throws -> Device {
        let a = try await world.device("a")
        try await a.store.write { transaction in
            let row: [String: Value] = ["Code": .string("P9"), "Rank": .integer(9), "Name": .string("mine")]
            _ = try transaction.insert(row, into: "Products")
            try transaction.update(Key([.integer(1)]), ["Name": .string("mine")], in: "Parents")
        }
        try await a.insert(["Code": .string("P9")], into: "Stocks")
        return a
    }

    @Test func `what refers to a row waits for the transaction that inserts it to be merged and sent again`()
        async throws
    {
        let world = try World(schema: Self.schema)
        let a = try await device(world)
        try world.execute("UPDATE Parents SET Note = 'theirs' WHERE Id = 1")
        let report = try await a.sync()
        #expect(report.quarantined == 0 && report.sent == 2)
        #expect(try world.rows("SELECT Code FROM Stocks") == ["P9"])
        #expect(try world.rows("SELECT Name, Note FROM Parents WHERE Id = 1") == ["mine|theirs"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `what refers to a row goes to the quarantine with the transaction that inserts it`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await device(world)
        try world.execute("INSERT INTO Products VALUES ('P9', 19, 'theirs')")
        #expect(try await a.sync().sent == 0)
        #expect(try a.store.quarantined().map(\.code) == ["DuplicateKey", "DependsOnQuarantined"])
        #expect(try world.rows("SELECT Code FROM Stocks") == [])
        let first = try #require(try a.store.quarantined().first)
        try a.store.discard(quarantined: first.id)
        try await a.sync()
        #expect(try await a.verify().differences == [])
    }

    /// Found by the simulator: seed 14035.
    @Test func `what changes a row whose key refers to another one waits with the transaction that replaces that`()
        async throws
    {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try world.execute("INSERT INTO Products VALUES ('P4', 4, 'theirs')")
        try await a.store.write { transaction in
            try transaction.delete(Key([.string("P1")]), in: "Products")
            // The rank is taken.
            let row: [String: Value] = ["Code": .string("P1"), "Rank": .integer(4), "Name": .string("mine")]
            _ = try transaction.insert(row, into: "Products")
        }
        #expect(try await a.sync().quarantined == 1)
        try world.execute("INSERT INTO Racks VALUES ('P1', 1, 'theirs')")
        try await a.sync()
        let rack = Key([.string("P1"), .integer(1)])
        _ = try await a.store.write { try $0.update(rack, ["Name": .string("mine")], in: "Racks") }
        let codes = ["DuplicateValue", "DependsOnQuarantined"]
        #expect(try a.store.quarantined().map(\.code) == codes)
        // Refused once more, it takes along what was sent behind it.
        try a.store.retry(quarantined: try #require(try a.store.quarantined().first).id)
        #expect(try await a.sync().quarantined == 2)
        #expect(try a.store.quarantined().map(\.code) == codes)
        #expect(try world.rows("SELECT Name FROM Racks") == ["theirs"])
        try world.execute("DELETE FROM Products WHERE Code = 'P4'")
        try a.store.retry(quarantined: try #require(try a.store.quarantined().first).id)
        #expect(try await a.sync().quarantined == 0)
        // The rack fell with the old product, and the change beats that.
        #expect(try world.rows("SELECT Code, Place, Name FROM Racks") == ["P1|1|mine"])
        #expect(try await a.verify().differences == [])
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// Rows that are changed in the quarantine and outside of it.
///
/// Found by the simulator: seeds 2 and 5 of the profile `long`, 831 and 14833 of `usual`.
struct HeldRowsTests {
    /// A device whose new product the service refuses, for its rank is taken.
    private func deviceWithRefusal(_ world: World) async throws -> Device {
        let a = try await world.device("a")
        try world.execute("INSERT INTO Products VALUES ('P4', 4, 'There')")
        try await a.insert(["Code": .string("P5"), "Rank": .integer(4), "Name": .string("Here")], into: "Products")
        #expect(try await a.sync().quarantined == 1)
        return a
    }

    private func giveUp(_ device: Device) async throws {
        while let entry = try device.store.quarantined().first { try device.store.discard(quarantined: entry.id) }
        try await device.sync()
        #expect(try device.store.status().pendingTransactions == 0)
        #expect(try await device.verify().differences == [])
    }

    @Test func `what undoes an insert and changes a row in the quarantine waits there too`() async throws {
        let world = try World()
        let a = try await deviceWithRefusal(world)
        let new = try await a.insert(["Name": .string("new")], into: "Parents")
        _ = try await a.store.write { transaction in
            try transaction.delete(new, in: "Parents")
            try transaction.update(Key([.string("P5")]), ["Name": .string("More")], in: "Products")
        }
        #expect(try a.store.quarantined().map(\.code) == ["DuplicateValue", "DependsOnQuarantined"])
        #expect(try await a.sync().sent == 1)
        try await giveUp(a)
    }

    @Test(arguments: [
        ("UPDATE Parents SET Note = 'theirs' WHERE Id = 1", ["mine|theirs"]),
        ("DELETE FROM Parents WHERE Id = 1", ["mine|-"]),
    ])
    func `a change before one in the quarantine meets the service's and is sent`(
        direct: String,
        expected: [String]
    ) async throws {
        let world = try World()
        let a = try await deviceWithRefusal(world)
        try await a.update(.integer(1), ["Name": .string("mine")], in: "Parents")
        _ = try await a.store.write { transaction in
            try transaction.delete(Key([.integer(1)]), in: "Parents")
            try transaction.update(Key([.string("P5")]), ["Name": .string("More")], in: "Products")
        }
        try world.execute(direct)
        #expect(try await a.sync().sent == 1)
        #expect(try world.rows("SELECT Name, Note FROM Parents WHERE Name = 'mine'") == expected)
        #expect(try a.store.quarantined().count == 2)
        // What waits still shows: the row is deleted here.
        #expect(try await a.store.read { try $0.entity(Key([.integer(1)]), in: "Parents") } == nil)
        try await giveUp(a)
    }

    @Test func `a change that is sent again stays before the one in the quarantine`() async throws {
        let world = try World()
        let a = try await deviceWithRefusal(world)
        try await a.update(.integer(1), ["Name": .string("first")], in: "Parents")
        _ = try await a.store.write { transaction in
            try transaction.update(Key([.integer(1)]), ["Name": .string("second")], in: "Parents")
            try transaction.update(Key([.string("P5")]), ["Rank": .integer(9)], in: "Products")
        }
        try world.execute("UPDATE Parents SET Note = 'theirs' WHERE Id = 1")
        try await a.sync()
        #expect(try world.rows("SELECT Name, Note FROM Parents WHERE Id = 1") == ["first|theirs"])
        let row = try await a.store.read { try $0.entity(Key([.integer(1)]), in: "Parents") }
        #expect(row?["Name"] == .string("second") && row?["Note"] == .string("theirs"))
        try world.execute("DELETE FROM Products WHERE Code = 'P4'")
        let first = try #require(try a.store.quarantined().first)
        try a.store.retry(quarantined: first.id)
        #expect(try await a.sync().quarantined == 0)
        #expect(try world.rows("SELECT Name, Note FROM Parents WHERE Id = 1") == ["second|theirs"])
        try await giveUp(a)
    }

    @Test func `what the service changed meets what is sent again from the quarantine, and the loser is in the log`()
        async throws
    {
        let world = try World()
        let a = try await deviceWithRefusal(world)
        _ = try await a.store.write { transaction in
            try transaction.update(Key([.integer(1)]), ["Name": .string("mine")], in: "Parents")
            try transaction.update(Key([.string("P5")]), ["Name": .string("More")], in: "Products")
        }
        try world.execute("UPDATE Parents SET Name = 'theirs' WHERE Id = 1")
        #expect(try await a.sync().sent == 0)
        #expect(try a.store.quarantined().map(\.code) == ["DuplicateValue", "DependsOnQuarantined"])
        try world.execute("DELETE FROM Products WHERE Code = 'P4'")
        try a.store.retry(quarantined: try #require(try a.store.quarantined().first).id)
        #expect(try await a.sync().quarantined == 0)
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id = 1") == ["theirs"])
        let lost = try a.store.conflicts().flatMap(\.properties)
        #expect(lost.map(\.mine) == [.string("mine")] && lost.map(\.theirs) == [.string("theirs")])
        try await giveUp(a)
    }

    @Test(.covers("SB-W15")) func `a unique value that was put right is sent in the place of the one that was taken`()
        async throws
    {
        let world = try World()
        let a = try await world.device("a")
        try await a.insert(["Code": .string("P4"), "Rank": .integer(4)], into: "Products")
        try await a.update(.string("P1"), ["Rank": .integer(5)], in: "Products")
        try world.execute("INSERT INTO Products (Code, Rank) VALUES ('Q4', 4), ('Q5', 5)")
        #expect(try await a.sync().quarantined == 2)
        try await a.update(.string("P4"), ["Rank": .integer(6)], in: "Products")
        // Put back as it was: nothing is left to be sent.
        try await a.update(.string("P1"), ["Rank": .integer(1)], in: "Products")
        for code in ["P4", "P1"] {
            let held = try a.store.quarantined().filter { $0.code == "DuplicateValue" }
            let entry = try #require(held.first { $0.changes.first?.key == Key([.string(code)]) })
            try a.store.retry(quarantined: entry.id)
        }
        #expect(try a.store.quarantined().isEmpty)
        #expect(try await a.sync().sent == 1)
        #expect(
            try world.rows("SELECT Code, Rank FROM Products ORDER BY Rank") == [
                "P1|1", "P2|2", "P3|3", "Q4|4", "Q5|5", "P4|6",
            ]
        )
        #expect(try a.store.quarantined().isEmpty)
        #expect(try await a.verify().isEqual)
    }

    @Test func `what is put back as it was before it is sent again shows what the service has meanwhile`() async throws
    {
        let world = try World()
        let a = try await world.device("a")
        try await a.update(.string("P1"), ["Rank": .integer(5)], in: "Products")
        try world.execute("INSERT INTO Products (Code, Rank) VALUES ('Q5', 5)")
        #expect(try await a.sync().quarantined == 1)
        try world.execute("UPDATE Products SET Rank = 7 WHERE Code = 'P1'")
        try await a.sync()
        try await a.update(.string("P1"), ["Rank": .integer(1)], in: "Products")
        try a.store.retry(quarantined: try #require(try a.store.quarantined().first).id)
        let row = try await a.store.read { try $0.entity(Key([.string("P1")]), in: "Products") }
        #expect(row?["Rank"] == .integer(7))
        #expect(try await a.sync().sent == 0)
        #expect(try await a.verify().differences == [])
    }

    @Test func `what is sent again takes along the kin of its kin, however far the chain goes`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try world.execute("INSERT INTO Products (Code, Rank) VALUES ('Q4', 4), ('Q5', 5), ('Q6', 6)")
        for (code, rank) in [("P4", Int64(4)), ("P5", 5), ("P6", 6)] {
            try await a.insert(["Code": .string(code), "Rank": .integer(rank)], into: "Products")
        }
        #expect(try await a.sync().quarantined == 3)
        // Each of these builds on two that were refused: all five hang together.
        for (codes, name) in [(["P4", "P5"], "first"), (["P5", "P6"], "second")] {
            _ = try await a.store.write { transaction in
                for code in codes {
                    try transaction.update(Key([.string(code)]), ["Name": .string(name)], in: "Products")
                }
            }
        }
        #expect(try a.store.quarantined().count == 5)
        try world.execute("UPDATE Products SET Rank = Rank + 10 WHERE Code LIKE 'Q%'")
        try a.store.retry(quarantined: try #require(a.store.quarantined().first).id)
        #expect(try a.store.quarantined().map(\.changes) == [])
        try await a.syncUntilDone()
        #expect(try a.store.quarantined().map(\.message) == [])
        #expect(
            try world.rows("SELECT Code, Rank, Name FROM Products WHERE Code > 'P3' AND Code < 'Q' ORDER BY Code")
                == ["P4|4|first", "P5|5|second", "P6|6|second"]
        )
        #expect(try await a.verify().differences == [])
    }

    @Test func `what is sent again with an earlier transaction takes effect as a whole`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try world.execute("INSERT INTO Products (Code, Rank) VALUES ('Q4', 4)")
        try await a.insert(["Code": .string("P4"), "Rank": .integer(4)], into: "Products")
        #expect(try await a.sync().quarantined == 1)
        _ = try await a.store.write { transaction in
            try transaction.update(Key([.string("P4")]), ["Name": .string("half")], in: "Products")
            _ = try transaction.insert(["Code": .string("P5"), "Rank": .integer(5)], into: "Products")
        }
        try world.execute("DELETE FROM Products WHERE Code = 'Q4'; INSERT INTO Products (Code, Rank) VALUES ('Q5', 5)")
        try a.store.retry(quarantined: try #require(try a.store.quarantined().first).id)
        #expect(try await a.sync().quarantined == 1)
        #expect(try world.rows("SELECT Code FROM Products WHERE Code > 'P3'") == ["Q5"])
        #expect(try a.store.quarantined().map(\.code) == ["DuplicateValue"])
        try await giveUp(a)
    }

    /// Found by the simulator: seed 14833.
    @Test func `a value that was put right waits for what frees it`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try world.execute("INSERT INTO Products (Code, Rank) VALUES ('Q4', 4)")
        try await a.insert(["Code": .string("P4"), "Rank": .integer(4)], into: "Products")
        #expect(try await a.sync().quarantined == 1)
        // The third takes the value that the second frees, and is sent in the place of the first.
        _ = try await a.store.write { transaction in
            try transaction.update(Key([.string("P4")]), ["Name": .string("new")], in: "Products")
            try transaction.update(Key([.string("P1")]), ["Rank": .integer(9)], in: "Products")
        }
        try await a.update(.string("P4"), ["Rank": .integer(1)], in: "Products")
        try a.store.retry(quarantined: try #require(try a.store.quarantined().first).id)
        #expect(try await a.sync().quarantined == 0)
        #expect(
            try world.rows("SELECT Code || ' ' || Rank FROM Products WHERE Code <> 'P2' ORDER BY Rank") == [
                "P4 1", "P3 3", "Q4 4", "P1 9",
            ]
        )
        #expect(try world.rows("SELECT Name FROM Products WHERE Code = 'P4'") == ["new"])
        #expect(try await a.verify().differences == [])
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Deletions that do not count in the end: whoever decides it, all that they did comes back.
struct WholeDeletionTests {
    private static let schema =
        World.schema + """
            CREATE TABLE Toys (
                Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL,
                ChildId INTEGER REFERENCES Children(Id) ON DELETE SET NULL);
            INSERT INTO Toys (Id, Name, ChildId) VALUES (1, 'ball', 1), (2, 'kite', 2), (3, 'yoyo', 3);
            CREATE TABLE Tags (Code TEXT NOT NULL PRIMARY KEY, Text TEXT, Rank INTEGER);
            INSERT INTO Tags VALUES ('red', 'one', 1);
            """
    private static let children = "SELECT Id, ParentId, Label FROM Children ORDER BY Id"
    private static let toys = "SELECT Id, Name, ChildId FROM Toys ORDER BY Id"
    private static let allChildren = ["1|1|a", "2|1|b", "3|2|c"]
    private static let allToys = ["1|ball|1", "2|kite|2", "3|yoyo|3"]

    /// - Parameter asking: the set of which a person decides.
    private func world(asking set: String? = nil) throws -> World {
        try World(schema: Self.schema) { sets in
            guard let place = sets.firstIndex(where: { $0.names.wire == set }) else { return }
            sets[place].type.conflictPolicy = .ask
        }
    }

    @Test func `what lost its reference to a row that stays has it again`() async throws {
        let world = try world()
        let a = try await world.device("a")
        try await a.delete(.integer(1), in: "Children")
        #expect(try a.rows("Toys").map { $0["ChildId"] } == [.null, .integer(2), .integer(3)])
        try world.execute("UPDATE Children SET Label = 'theirs' WHERE Id = 1")
        #expect(try await a.sync().conflicts == 1)
        #expect(try world.rows(Self.toys) == Self.allToys)
        #expect(try a.rows("Toys").map { $0["ChildId"] } == [.integer(1), .integer(2), .integer(3)])
        #expect(try a.store.status().pendingTransactions == 0)
        #expect(try await a.verify().differences == [])
    }

    @Test func `so has what is two levels below it, and what was given another one since keeps that`() async throws {
        let world = try world()
        let a = try await world.device("a")
        try await a.delete(.integer(1), in: "Parents")
        try await a.update(.integer(2), ["ChildId": .integer(3), "Name": .string("mine")], in: "Toys")
        try world.execute("UPDATE Parents SET Note = 'theirs' WHERE Id = 1")
        try await a.syncUntilDone()
        #expect(try world.rows(Self.children) == Self.allChildren)
        #expect(try world.rows(Self.toys) == ["1|ball|1", "2|mine|3", "3|yoyo|3"])
        #expect(try await a.verify().differences == [])
    }

    @Test(arguments: [
        ("Parents", "UPDATE Parents SET Note = 'theirs'"), ("Children", "UPDATE Children SET Label = 'x'"),
    ])
    func `a person who takes the server's side has all of it back`(set: String, change: String) async throws {
        let world = try world(asking: set)
        let a = try await world.device("a")
        try await a.delete(.integer(1), in: "Parents")
        try world.execute("\(change) WHERE Id = 1")
        try await a.sync()
        let open = try #require(try a.store.conflicts().first { $0.isOpen })
        #expect(open.set == set && open.key == Key([.integer(1)]))
        try a.store.resolve(conflict: open.id, .keepTheirs)
        try await a.syncUntilDone()
        #expect(try world.rows("SELECT Id FROM Parents") == ["1", "2", "3"])
        #expect(try world.rows("SELECT Id, ParentId FROM Children ORDER BY Id") == ["1|1", "2|1", "3|2"])
        #expect(try world.rows(Self.toys) == Self.allToys)
        #expect(try a.keys("Children") == [1, 2, 3])
        #expect(try a.store.quarantined() == [])
        #expect(try await a.verify().differences == [])
    }

    @Test func `one that was refused, and loses when it is sent again, is given up as a whole`() async throws {
        let world = try world()
        let a = try await world.device("a")
        try world.execute("CREATE TRIGGER no BEFORE DELETE ON Children BEGIN SELECT RAISE(ABORT, 'not now'); END")
        try await a.delete(.integer(1), in: "Children")
        #expect(try await a.sync().quarantined == 1)
        try world.execute("DROP TRIGGER no; UPDATE Children SET Label = 'theirs' WHERE Id = 1")
        try await a.sync()
        try a.store.retry(quarantined: try #require(a.store.quarantined().first).id)
        try await a.syncUntilDone()
        #expect(try world.rows(Self.children) == ["1|1|theirs", "2|1|b", "3|2|c"])
        #expect(try world.rows(Self.toys) == Self.allToys)
        #expect(try await a.verify().differences == [])
    }

    @Test func `what comes back keeps the others that it refers to`() async throws {
        let world = try World(
            schema: Self.schema + """
                CREATE TABLE Ties (
                    ChildId INTEGER NOT NULL REFERENCES Children(Id) ON DELETE CASCADE,
                    TagCode TEXT NOT NULL REFERENCES Tags(Code) ON DELETE CASCADE, PRIMARY KEY (ChildId, TagCode));
                INSERT INTO Ties VALUES (1, 'red'), (2, 'red');
                """
        )
        let a = try await world.device("a")
        try await a.store.write { transaction in
            try transaction.delete(Key([.integer(1)]), in: "Children")
            try transaction.delete(Key([.string("red")]), in: "Tags")
        }
        try world.execute("UPDATE Children SET Label = 'theirs' WHERE Id = 1")
        try await a.syncUntilDone()
        #expect(try world.rows("SELECT * FROM Ties ORDER BY ChildId") == ["1|red", "2|red"])
        #expect(try world.rows("SELECT Code FROM Tags") == ["red"])
        #expect(try world.rows(Self.children) == ["1|1|theirs", "2|1|b", "3|2|c"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `a new row that the deletion took the reference from has it, and is sent with it`() async throws {
        let world = try world()
        let a = try await world.device("a")
        try await a.insert(["Name": .string("new"), "ChildId": .integer(1)], into: "Toys")
        _ = try a.store.pendingTransactions()
        try await a.delete(.integer(1), in: "Children")
        try world.execute("UPDATE Children SET Label = 'theirs' WHERE Id = 1")
        try await a.syncUntilDone()
        #expect(try world.rows(Self.toys) == Self.allToys + ["4|new|1"])
        #expect(try a.store.quarantined() == [])
        #expect(try await a.verify().differences == [])
    }

    // MARK: The other way round

    @Test func `a row that a person keeps goes beside another one that has its key since`() async throws {
        let world = try world(asking: "Toys")
        let a = try await world.device("a")
        try await a.update(.integer(1), ["Name": .string("mine")], in: "Toys")
        try world.execute("DELETE FROM Toys WHERE Id = 1")
        try await a.sync()
        try world.execute("INSERT INTO Toys (Id, Name, ChildId) VALUES (1, 'another', 3)")
        try await a.sync()
        try a.store.resolve(conflict: try #require(try a.store.conflicts().first).id, .keepMine)
        #expect(try a.rows("Toys").contains { $0["Name"] == .string("another") })
        #expect(try a.rows("Toys").first { $0["Name"] == .string("mine") }?["ChildId"] == .integer(1))
        try await a.syncUntilDone()
        #expect(try world.rows(Self.toys) == ["1|another|3", "2|kite|2", "3|yoyo|3", "4|mine|1"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `under a key that is a name, it is the row that is there again`() async throws {
        let world = try world(asking: "Tags")
        let a = try await world.device("a")
        try await a.update(.string("red"), ["Text": .string("mine")], in: "Tags")
        try world.execute("DELETE FROM Tags")
        try await a.sync()
        try world.execute("INSERT INTO Tags VALUES ('red', 'theirs', 5)")
        try await a.sync()
        try a.store.resolve(conflict: try #require(try a.store.conflicts().first).id, .keepMine)
        try await a.syncUntilDone()
        #expect(try a.store.quarantined() == [])
        #expect(try world.rows("SELECT Code, Text, Rank FROM Tags") == ["red|mine|1"])
        #expect(try await a.verify().differences == [])
    }

    /// Both took the last one: the sum is below zero, which the property may not be.
    @Test(arguments: [(ConflictPolicy.counter, false), (ConflictPolicy(.counter, else: .ask), true)])
    func `equal steps that cannot both count are in the log`(policy: ConflictPolicy, isOpen: Bool) async throws {
        let world = try World(shaping: { sets in
            guard let place = sets.firstIndex(where: { $0.names.wire == "Parents" }),
                let amount = sets[place].type.propertyIndex(wire: "Amount")
            else { return }
            sets[place].type.properties[amount].conflictPolicy = policy
            sets[place].type.properties[amount].minimum = .integer(0)
        })
        let a = try await world.device("a")
        let b = try await world.device("b")
        for device in [a, b] { try await device.update(.integer(1), ["Amount": .integer(0)], in: "Parents") }
        for device in [a, b] { try await device.syncUntilDone() }
        #expect(try world.rows("SELECT Amount FROM Parents WHERE Id = 1") == ["0"])
        let lost = try #require(try b.store.conflicts().first)
        let amount = try #require(lost.properties.first)
        #expect(amount.name == "Amount" && amount.base == .integer(10))
        #expect(amount.mine == .integer(0) && amount.theirs == .integer(0) && !amount.mineWon)
        #expect(lost.isOpen == isOpen)
    }
}

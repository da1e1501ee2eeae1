// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Rows that are deleted on the service and inserted again by a device, in a transaction that refers to them.
struct InsertedAgainTests {
    private static let schema =
        World.schema + """
            CREATE TABLE Boxes (
                Id INTEGER PRIMARY KEY AUTOINCREMENT, OwnerId INTEGER REFERENCES Parents(Id), Name TEXT);
            INSERT INTO Boxes (Id, Name) VALUES (1, 'box');
            """

    /// Makes transactions at a device, then a change on the service, and syncs.
    private func run(
        _ world: World,
        _ sql: String,
        _ transactions: (@Sendable (LocalTransaction) throws -> Void)...
    ) async throws {
        let a = try await world.device("a")
        for body in transactions { try await a.store.write { try body($0) } }
        try world.execute(sql)
        #expect(try await a.sync().quarantined == 0)
        #expect(try a.store.status().pendingTransactions == 0)
        #expect(try await a.verify().differences == [])
    }

    /// Found by the simulator: seed 877.
    @Test func `what was moved to the row before it was changed follows it`() async throws {
        let world = try World()
        try await run(world, "DELETE FROM Parents WHERE Id = 2") { transaction in
            try transaction.update(Key([.integer(1)]), ["ParentId": .integer(2)], in: "Children")
            try transaction.update(Key([.integer(2)]), ["Name": .string("mine")], in: "Parents")
        }
        let joined = "SELECT p.Name, c.Label FROM Children c JOIN Parents p ON p.Id = c.ParentId ORDER BY c.Label"
        #expect(try world.rows(joined) == ["mine|a", "one|b"])
    }

    @Test func `it is inserted after what it refers to and was made meanwhile`() async throws {
        let world = try World(schema: Self.schema)
        try await run(world, "DELETE FROM Boxes") { transaction in
            try transaction.update(Key([.integer(1)]), ["Name": .string("mine")], in: "Boxes")
            let owner = try transaction.insert(["Name": .string("new")], into: "Parents")
            try transaction.update(Key([.integer(1)]), ["OwnerId": owner.values[0]], in: "Boxes")
        }
        let joined = "SELECT p.Name, b.Name FROM Boxes b JOIN Parents p ON p.Id = b.OwnerId"
        #expect(try world.rows(joined) == ["new|mine"])
    }

    /// Found by the simulator: seed 170,067.
    @Test func `what two transactions changed comes in both, each in its turn`() async throws {
        let world = try World(
            schema: World.schema + """
                CREATE TABLE Names (Name TEXT);
                CREATE TRIGGER Added AFTER INSERT ON Parents BEGIN INSERT INTO Names VALUES (NEW.Name); END;
                CREATE TRIGGER Changed AFTER UPDATE ON Parents BEGIN INSERT INTO Names VALUES (NEW.Name); END;
                CREATE TRIGGER Labelled AFTER UPDATE ON Children BEGIN INSERT INTO Names VALUES (NEW.Label); END;
                """
        )
        let a = try await world.device("a")
        try await a.store.write { transaction in
            try transaction.update(Key([.integer(3)]), ["Name": .string("first")], in: "Parents")
        }
        try await a.store.write { transaction in
            try transaction.update(Key([.integer(1)]), ["Label": .string("label")], in: "Children")
            let new: [String: Value] = ["Name": .string("second"), "Note": .string("new")]
            try transaction.update(Key([.integer(3)]), new, in: "Parents")
        }
        try world.execute("DELETE FROM Parents WHERE Id = 3")
        #expect(try await a.sync().quarantined == 0)
        #expect(try world.rows("SELECT Name FROM Names") == ["first", "label", "second"])
        #expect(try world.rows("SELECT Name, Note FROM Parents WHERE Id > 2") == ["second|new"])
        #expect(try a.store.status().pendingTransactions == 0)
        #expect(try await a.verify().differences == [])
    }

    @Test(arguments: [false, true])
    func `it begins below the row that a later transaction moved it to, for the one before may be gone`(
        isMadeAgain: Bool
    ) async throws {
        let world = try World()
        let a = try await world.device("a")
        try await a.store.write { transaction in
            try transaction.update(Key([.integer(3)]), ["Label": .string("mine")], in: "Children")
        }
        try await a.store.write { transaction in
            try transaction.update(Key([.integer(3)]), ["ParentId": .integer(1)], in: "Children")
            try transaction.update(Key([.integer(1)]), ["Note": .string("more")], in: "Parents")
        }
        if isMadeAgain {
            try await a.store.write { transaction in
                try transaction.update(Key([.integer(2)]), ["Name": .string("left")], in: "Parents")
            }
        }
        // The child falls with its parent.
        try world.execute("DELETE FROM Parents WHERE Id = 2")
        #expect(try await a.sync().quarantined == 0)
        #expect(try world.rows("SELECT ParentId, Label FROM Children WHERE Label = 'mine'") == ["1|mine"])
        #expect(try world.rows("SELECT Note FROM Parents WHERE Id = 1") == ["more"])
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id NOT IN (1, 3)") == (isMadeAgain ? ["left"] : []))
        #expect(try await a.verify().differences == [])
    }

    private static let ranked = "SELECT Code, Rank, Name FROM Products WHERE Rank IN (1, 2, 9) ORDER BY Code"

    @Test func `it begins with the unique value that a later transaction gave it, for the one before may be taken`()
        async throws
    {
        let world = try World()
        try await run(
            world,
            "DELETE FROM Products WHERE Code = 'P1'; INSERT INTO Products VALUES ('P4', 1, 'other')",
            { try $0.update(Key([.string("P1")]), ["Name": .string("mine")], in: "Products") },
            { try $0.update(Key([.string("P1")]), ["Rank": .integer(9)], in: "Products") }
        )
        #expect(try world.rows(Self.ranked) == ["P1|9|mine", "P2|2|Chair", "P4|1|other"])
    }

    @Test func `it keeps its unique value until the transaction that changes values with another row`() async throws {
        let world = try World()
        try await run(
            world,
            "DELETE FROM Products WHERE Code = 'P1'",
            { try $0.update(Key([.string("P1")]), ["Name": .string("mine")], in: "Products") },
            {
                try $0.update(Key([.string("P1")]), ["Rank": .integer(9)], in: "Products")
                try $0.update(Key([.string("P2")]), ["Rank": .integer(1)], in: "Products")
                try $0.update(Key([.string("P1")]), ["Rank": .integer(2)], in: "Products")
            }
        )
        #expect(try world.rows(Self.ranked) == ["P1|2|mine", "P2|1|Chair"])
    }

    @Test func `it stays where it was until the transaction that moves it to a row which that inserts`() async throws {
        let world = try World()
        try await run(
            world,
            "DELETE FROM Children WHERE Id = 3",
            { try $0.update(Key([.integer(3)]), ["Label": .string("mine")], in: "Children") },
            {
                let parent = try $0.insert(["Name": .string("new")], into: "Parents")
                try $0.update(Key([.integer(3)]), ["ParentId": parent.values[0]], in: "Children")
            }
        )
        let joined = "SELECT p.Name, c.Label FROM Children c JOIN Parents p ON p.Id = c.ParentId WHERE c.Label = 'mine'"
        #expect(try world.rows(joined) == ["new|mine"])
    }

    /// Answers the questions; where nobody is asked, sends what was refused before its parent came.
    private func goOn(_ device: Device, _ policy: ConflictPolicy?, questions: Int) throws {
        guard policy == nil else {
            for _ in 0..<questions {
                let open = try #require(try device.store.conflicts().first(where: \.isOpen))
                try device.store.resolve(conflict: open.id, .keepMine)
            }
            return
        }
        let held = try device.store.quarantined()
        #expect(held.map(\.code) == ["MissingReference"])
        try device.store.retry(quarantined: try #require(held.first).id)
    }

    /// Each of the two transactions would wait for the other: the one for the parent, the other for the child.
    @Test(arguments: [nil, .ask] as [ConflictPolicy?])
    func `a row whose parent is gone begins below the one that a later transaction made for it`(
        policy: ConflictPolicy?
    ) async throws {
        let world = try World { sets in
            for place in sets.indices where sets[place].names.wire == "Children" {
                sets[place].type.conflictPolicy = policy
            }
        }
        let a = try await world.device("a")
        try await a.update(.integer(3), ["Label": .string("mine")], in: "Children")
        try await a.store.write { transaction in
            let parent = try transaction.insert(["Name": .string("new")], into: "Parents")
            try transaction.update(Key([.integer(3)]), ["ParentId": parent.values[0]], in: "Children")
        }
        try world.execute("DELETE FROM Parents WHERE Id = 2")
        try await a.syncUntilDone()
        try goOn(a, policy, questions: 1)
        try await a.syncUntilDone()
        #expect(try a.store.quarantined().map(\.code) == [])
        let joined = "SELECT p.Name, c.Label FROM Children c JOIN Parents p ON p.Id = c.ParentId WHERE c.Label = 'mine'"
        #expect(try world.rows(joined) == ["new|mine"])
        #expect(try await a.verify().differences == [])
    }

    @Test(arguments: [nil, .ask] as [ConflictPolicy?])
    func `a child and the new parent that come again both come, though each transaction has a part of both`(
        policy: ConflictPolicy?
    ) async throws {
        let world = try World { sets in
            for place in sets.indices { sets[place].type.conflictPolicy = policy }
        }
        let a = try await world.device("a")
        try await a.update(.integer(3), ["Label": .string("mine")], in: "Children")
        try await a.store.write { transaction in
            let moved: [String: Value] = ["ParentId": .integer(1), "Label": .string("later")]
            try transaction.update(Key([.integer(3)]), moved, in: "Children")
            try transaction.update(Key([.integer(1)]), ["Note": .string("more")], in: "Parents")
        }
        try world.execute("DELETE FROM Parents WHERE Id IN (1, 2)")
        try await a.syncUntilDone()
        try goOn(a, policy, questions: 2)
        try await a.syncUntilDone()
        #expect(try a.store.quarantined().map(\.code) == [])
        let joined = """
            SELECT p.Name, p.Note, c.Label FROM Children c JOIN Parents p ON p.Id = c.ParentId WHERE c.Label = 'later'
            """
        #expect(try world.rows(joined) == ["one|more|later"])
        #expect(try await a.verify().differences == [])
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineService
import TidelineStore
import TidelineSync

/// Transactions whose own steps change or take along, through triggers and foreign keys, rows that they name as well.
struct OwnEffectTests {
    /// The parent counts its children; a thread has a last post, and falls with it.
    private static let schema =
        World.schema + """
            CREATE TRIGGER Born AFTER INSERT ON Children BEGIN
                UPDATE Parents SET Amount = Amount + 1 WHERE Id = NEW.ParentId; END;
            CREATE TRIGGER Gone AFTER DELETE ON Children BEGIN
                UPDATE Parents SET Amount = Amount - 1 WHERE Id = OLD.ParentId; END;
            CREATE TABLE Threads (Id INT NOT NULL PRIMARY KEY, Last INT REFERENCES Posts(Id) ON DELETE CASCADE);
            CREATE TABLE Posts (Id INT NOT NULL PRIMARY KEY,
                ThreadId INT NOT NULL REFERENCES Threads(Id) ON DELETE CASCADE);
            INSERT INTO Threads VALUES (1, NULL), (2, NULL);
            INSERT INTO Posts VALUES (1, 1), (2, 1), (3, 2);
            UPDATE Threads SET Last = 2 WHERE Id = 1;
            """

    private func inOrder(_ device: Device, _ world: World) async throws {
        #expect(try device.store.status().pendingTransactions == 0)
        #expect(try device.store.quarantined() == [])
        #expect(try device.store.conflicts() == [])
        #expect(try world.service.conflicts() == [])
        #expect(try await device.verify().differences == [])
    }

    @Test func `a row that the transaction's own trigger changes is changed as the transaction says`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try await a.store.write { tx in
            try tx.insert(["ParentId": .integer(3), "Label": .string("new")], into: "Children")
            try tx.update(Key([.integer(3)]), ["Name": .string("drei")], in: "Parents")
        }
        try world.execute("UPDATE Parents SET Note = 'elsewhere' WHERE Id = 2")
        let report = try await a.sync()
        #expect(report.sent == 1 && report.conflicts == 0)
        #expect(try world.rows("SELECT Name, Amount FROM Parents WHERE Id = 3") == ["drei|31"])
        #expect(try a.rows("Parents").map { $0["Note"] }.contains(.string("elsewhere")))
        try await inOrder(a, world)
    }

    @Test func `a row with dependents that it counts is deleted with them`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try await a.delete(.integer(1), in: "Parents")
        #expect(try await a.sync().sent == 1)
        #expect(try world.rows("SELECT Id FROM Parents ORDER BY Id") == ["2", "3"])
        #expect(try world.rows("SELECT Id FROM Children ORDER BY Id") == ["3"])
        try await inOrder(a, world)
    }

    @Test func `rows that fall with each other are deleted together`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try await a.delete(.integer(1), in: "Threads")
        #expect(try await a.sync().sent == 1)
        #expect(try world.rows("SELECT Id FROM Threads") == ["2"])
        #expect(try world.rows("SELECT Id FROM Posts") == ["3"])
        try await inOrder(a, world)
    }

    @Test func `what another one changed before is a conflict all the same`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try await a.store.write { tx in
            try tx.insert(["ParentId": .integer(3), "Label": .string("new")], into: "Children")
            try tx.update(Key([.integer(3)]), ["Name": .string("mine")], in: "Parents")
        }
        try world.execute("UPDATE Parents SET Name = 'theirs' WHERE Id = 3")
        #expect(try await a.sync().conflicts == 1)
        #expect(try world.rows("SELECT Name, Amount FROM Parents WHERE Id = 3") == ["theirs|31"])
        #expect(try a.store.conflicts().map { $0.properties.map(\.mine) } == [[.string("mine")]])
        // Deleted here with its dependents, changed there: the update beats the deletion.
        try world.execute("UPDATE Parents SET Note = 'kept' WHERE Id = 1")
        try await a.delete(.integer(1), in: "Parents")
        try await a.syncUntilDone()
        #expect(try world.rows("SELECT Note, Amount FROM Parents WHERE Id = 1") == ["kept|10"])
        #expect(try world.rows("SELECT count(*) FROM Children WHERE ParentId = 1") == ["2"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `what triggers made of transactions before it is no conflict for a deletion`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try await a.delete(.integer(1), in: "Children")
        try await a.delete(.integer(2), in: "Children")
        try await a.delete(.integer(1), in: "Parents")
        let report = try await a.sync()
        #expect(report.sent == 3 && report.conflicts == 0)
        #expect(try world.rows("SELECT Id FROM Parents ORDER BY Id") == ["2", "3"])
        #expect(try world.rows("SELECT Id FROM Children") == ["3"])
        try await inOrder(a, world)
    }

    @Test func `what another one changed beside them is a conflict all the same`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        let b = try await world.device("b")
        try await a.delete(.integer(1), in: "Children")
        try await a.delete(.integer(2), in: "Children")
        try await a.delete(.integer(1), in: "Parents")
        try await b.insert(["ParentId": .integer(1), "Label": .string("b's")], into: "Children")
        #expect(try await b.sync().sent == 1)
        let report = try await a.sync()
        #expect(report.conflicts == 1)
        // Two children less, one more.
        #expect(try world.rows("SELECT Id, Amount FROM Parents WHERE Id = 1") == ["1|9"])
        #expect(try world.rows("SELECT Label FROM Children ORDER BY Id") == ["c", "b's"])
        #expect(try a.store.conflicts().map(\.set) == ["Parents"])
        #expect(try a.store.status().pendingTransactions == 0)
        #expect(try await a.verify().differences == [])
    }

    @Test func `a deletion that a pull brings the own effect to is sent as it was made`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try await a.delete(.integer(1), in: "Children")
        // Between the push and the pull: the parent, and the other child with it.
        a.transport.begin { index in
            if index == 1 { try await a.delete(.integer(1), in: "Parents") }
        }
        let first = try await a.sync()
        #expect(first.sent == 1 && first.conflicts == 0)
        #expect(try world.rows("SELECT Id, Amount FROM Parents WHERE Id = 1") == ["1|9"])
        #expect(try a.keys("Parents") == [2, 3])
        #expect(try a.store.status().pendingTransactions == 1)
        a.transport.begin()
        let second = try await a.sync()
        #expect(second.sent == 1 && second.conflicts == 0)
        #expect(try world.rows("SELECT Id FROM Parents ORDER BY Id") == ["2", "3"])
        #expect(try world.rows("SELECT Id FROM Children") == ["3"])
        try await inOrder(a, world)
    }

    @Test(arguments: [true, false])
    func `where another one changed the row too, the deletion is given up when the service says so`(
        isBefore: Bool
    ) async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try await a.delete(.integer(1), in: "Children")
        a.transport.begin { index in
            guard index == 1 else { return }
            try await a.delete(.integer(1), in: "Parents")
            if isBefore { try world.execute("UPDATE Parents SET Note = 'theirs' WHERE Id = 1") }
        }
        #expect(try await a.sync().conflicts == 0)
        #expect(try a.keys("Parents") == [2, 3])
        a.transport.begin()
        if !isBefore { try world.execute("UPDATE Parents SET Note = 'theirs' WHERE Id = 1") }
        // The parent, and the child that came back with it.
        #expect(try await a.sync().conflicts == 2)
        #expect(try world.rows("SELECT Id, Note, Amount FROM Parents WHERE Id = 1") == ["1|theirs|9"])
        #expect(try world.rows("SELECT Id, ParentId FROM Children ORDER BY Id") == ["2|1", "3|2"])
        #expect(try a.keys("Parents") == [1, 2, 3])
        #expect(try a.keys("Children") == [2, 3])
        let logged = try a.store.conflicts()
        #expect(logged.map(\.set) == ["Parents", "Children"])
        #expect(logged.map(\.key) == [Key([.integer(1)]), Key([.integer(2)])])
        #expect(logged.map(\.kind) == [.deletedHere, .deletedHere])
        #expect(try a.store.status().pendingTransactions == 0)
        #expect(try await a.verify().differences == [])
    }

    @Test func `a row that another one moved below a deleted one stays, and that one with it`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try await a.update(.string("P1"), ["Name": .string("lamp")], in: "Products")
        a.transport.begin { index in
            guard index == 1 else { return }
            try await a.delete(.integer(1), in: "Children")
            try await a.delete(.integer(3), in: "Parents")
            try world.execute("UPDATE Children SET ParentId = 3, Label = 'theirs' WHERE Id = 1")
        }
        #expect(try await a.sync().sent == 1)
        a.transport.begin()
        try await a.syncUntilDone()
        #expect(try world.rows("SELECT ParentId, Label FROM Children WHERE Id = 1") == ["3|theirs"])
        #expect(try world.rows("SELECT Id FROM Parents ORDER BY Id") == ["1", "2", "3"])
        #expect(try a.keys("Parents") == [1, 2, 3])
        #expect(try a.keys("Children") == [1, 2, 3])
        #expect(try a.store.conflicts().contains { $0.set == "Children" && $0.key == Key([.integer(1)]) })
        #expect(try a.store.status().pendingTransactions == 0)
        #expect(try await a.verify().differences == [])
    }
}

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
}

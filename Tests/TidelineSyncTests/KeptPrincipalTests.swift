// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Rows that a device deletes while another one gives them a row, or changes one of theirs.
///
/// Found by the simulator: seeds 15642, 16116 and 17423.
struct KeptPrincipalTests {
    private static let children = "SELECT Id, ParentId, Label FROM Children ORDER BY Id"

    @Test(arguments: [true, false])
    func `a row that was moved below it there and changed here keeps it`(isDeletedFirst: Bool) async throws {
        let world = try World()
        let a = try await world.device("a")
        try await a.store.write { transaction in
            if isDeletedFirst { try transaction.delete(Key([.integer(3)]), in: "Parents") }
            try transaction.update(Key([.integer(1)]), ["Label": .string("mine")], in: "Children")
            if !isDeletedFirst { try transaction.delete(Key([.integer(3)]), in: "Parents") }
        }
        try world.execute("UPDATE Children SET ParentId = 3 WHERE Id = 1")
        let report = try await a.sync()
        #expect(report.sent == 1 && report.merged == 1 && report.conflicts == 1)
        #expect(try world.rows(Self.children) == ["1|3|mine", "2|1|b", "3|2|c"])
        #expect(try world.rows("SELECT Id FROM Parents") == ["1", "2", "3"])
        let conflict = try #require(try a.store.conflicts().first)
        #expect(conflict.kind == .deletedHere && conflict.set == "Parents" && conflict.key == Key([.integer(3)]))
        let name = conflict.properties.first { $0.name == "Name" }
        #expect(name?.mine == .null && name?.theirs == .string("three") && name?.mineWon == false)
        #expect(try await a.verify().differences == [])
        // Seen now, it may be deleted after all.
        try a.store.resolve(conflict: conflict.id, .keepMine)
        #expect(try await a.sync().conflicts == 0)
        #expect(try world.rows(Self.children) == ["2|1|b", "3|2|c"])
    }

    @Test func `a row of it that was changed there, and so is not deleted, keeps it`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try await a.update(.integer(1), ["Note": .string("mine")], in: "Parents")
        try await a.delete(.integer(1), in: "Parents")
        try world.execute("UPDATE Children SET Label = 'theirs' WHERE Id = 1")
        #expect(try await a.sync().conflicts == 3)
        // With the parent, what was deleted along with it.
        #expect(try world.rows(Self.children) == ["1|1|theirs", "2|1|b", "3|2|c"])
        // What was changed before the deletion counts.
        #expect(try world.rows("SELECT Name, Note FROM Parents WHERE Id = 1") == ["one|mine"])
        #expect(try a.store.conflicts().allSatisfy { $0.kind == .deletedHere })
        #expect(try a.store.conflicts().map(\.set) == ["Children", "Parents", "Children"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `what was deleted along with a row that was changed there stays with it`() async throws {
        let schema =
            World.schema + """
                CREATE TABLE Toys (
                    Id INTEGER PRIMARY KEY, ChildId INTEGER NOT NULL REFERENCES Children(Id) ON DELETE CASCADE);
                INSERT INTO Toys VALUES (1, 2), (2, 3);
                """
        let world = try World(schema: schema)
        let a = try await world.device("a")
        try await a.delete(.integer(1), in: "Parents")
        #expect(try a.keys("Children") == [3])
        #expect(try a.keys("Toys") == [2])
        try world.execute("UPDATE Parents SET Note = 'theirs' WHERE Id = 1")
        let report = try await a.sync()
        #expect(report.conflicts == 4)
        #expect(try world.rows(Self.children) == ["1|1|a", "2|1|b", "3|2|c"])
        #expect(try world.rows("SELECT Id FROM Toys") == ["1", "2"])
        #expect(try a.keys("Parents") == [1, 2, 3])
        #expect(try a.keys("Children") == [1, 2, 3])
        #expect(try a.keys("Toys") == [1, 2])
        let conflicts = try a.store.conflicts()
        #expect(conflicts.allSatisfy { $0.kind == .deletedHere })
        #expect(conflicts.map(\.set).sorted() == ["Children", "Children", "Parents", "Toys"])
        #expect(try a.store.quarantined().isEmpty)
        #expect(try await a.verify().differences == [])
        // Deleted once more, all go.
        try await a.delete(.integer(1), in: "Parents")
        #expect(try await a.sync().conflicts == 0)
        #expect(try world.rows(Self.children) == ["3|2|c"])
        #expect(try world.rows("SELECT Id FROM Toys") == ["2"])
    }

    @Test func `what it refers to itself stays too`() async throws {
        let schema =
            World.schema + """
                CREATE TABLE Toys (
                    Id INTEGER PRIMARY KEY, Name TEXT,
                    ChildId INTEGER NOT NULL REFERENCES Children(Id) ON DELETE CASCADE);
                INSERT INTO Toys (Id, ChildId, Name) VALUES (1, 1, 'ball');
                """
        let world = try World(schema: schema)
        let a = try await world.device("a")
        try await a.delete(.integer(1), in: "Parents")
        try world.execute("UPDATE Toys SET Name = 'theirs' WHERE Id = 1")
        #expect(try await a.sync().conflicts == 4)
        #expect(try a.store.conflicts().map(\.set) == ["Toys", "Children", "Parents", "Children"])
        #expect(try world.rows("SELECT Id FROM Parents") == ["1", "2", "3"])
        #expect(try world.rows(Self.children) == ["1|1|a", "2|1|b", "3|2|c"])
        #expect(try world.rows("SELECT ChildId, Name FROM Toys") == ["1|theirs"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `a row that was deleted before its parent, and is changed there, keeps it`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try await a.delete(.integer(1), in: "Children")
        _ = try a.store.pendingTransactions()
        try await a.delete(.integer(1), in: "Parents")
        #expect(try a.store.pendingTransactions().map(\.dependencies) == [[], [1]])
        try world.execute("UPDATE Children SET Label = 'theirs' WHERE Id = 1")
        try await a.syncUntilDone()
        #expect(try world.rows(Self.children) == ["1|1|theirs", "2|1|b", "3|2|c"])
        #expect(try world.rows("SELECT Id FROM Parents") == ["1", "2", "3"])
        #expect(try a.store.conflicts().map(\.set) == ["Children", "Parents", "Children"])
        #expect(try await a.verify().differences == [])
    }

    /// Found by the simulator: seed 26325.
    @Test func `a row that is moved below one which falls in the same transaction goes from the device too`()
        async throws
    {
        let schema =
            World.schema + """
                CREATE TABLE Toys (
                    Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT,
                    ChildId INTEGER NOT NULL REFERENCES Children(Id) ON DELETE CASCADE);
                """
        let world = try World(schema: schema)
        let a = try await world.device("a")
        try await a.insert(["ChildId": .integer(1), "Name": .string("ball")], into: "Toys")
        _ = try a.store.pendingTransactions()
        try await a.store.write { transaction in
            try transaction.update(Key([.integer(-1)]), ["ChildId": .integer(3)], in: "Toys")
            try transaction.delete(Key([.integer(3)]), in: "Parents")
        }
        try world.execute("UPDATE Children SET ParentId = 3 WHERE Id = 3")
        #expect(try await a.sync().sent == 2)
        #expect(try world.rows("SELECT Id FROM Toys") == [])
        #expect(try a.rows("Toys").isEmpty)
        #expect(try await a.verify().differences == [])
    }
}

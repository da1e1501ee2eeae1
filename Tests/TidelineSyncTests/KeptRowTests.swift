// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Rows that were deleted on the service, and that a person keeps as a device has them.
struct KeptRowTests {
    private static let boxes =
        World.schema + """
            CREATE TABLE Boxes (
                Id INTEGER PRIMARY KEY AUTOINCREMENT, OwnerId INTEGER REFERENCES Parents(Id), Name TEXT);
            INSERT INTO Boxes (Id, Name) VALUES (1, 'box');
            """

    private static let noted = """
        CREATE TABLE Names (Name TEXT);
        CREATE TRIGGER Added AFTER INSERT ON Parents BEGIN INSERT INTO Names VALUES (NEW.Name); END;
        CREATE TRIGGER Changed AFTER UPDATE ON Parents BEGIN INSERT INTO Names VALUES (NEW.Name); END;
        CREATE TRIGGER Labelled AFTER UPDATE ON Children BEGIN INSERT INTO Names VALUES (NEW.Label); END;
        CREATE TRIGGER Ranked AFTER UPDATE ON Products BEGIN INSERT INTO Names VALUES (NEW.Name); END;
        """

    /// A world in which a person decides whose row counts.
    private func asking() throws -> World {
        try World(schema: World.schema + Self.noted) { sets in
            for place in sets.indices { sets[place].type.conflictPolicy = .ask }
        }
    }

    @Test(
        arguments: [
            (.keepMine, ["first", "label", "second"], "second|new"),
            // The name that was decided is there from the beginning.
            (.merge(["Name": .string("both")]), ["both", "label", "both"], "both|new"),
        ] as [(ConflictChoice, [String], String)]
    )
    func `what two transactions changed of a row that a person keeps comes in both, each in its turn`(
        choice: ConflictChoice,
        names: [String],
        row: String
    ) async throws {
        let world = try asking()
        let a = try await world.device("a")
        try await a.update(.integer(3), ["Name": .string("first")], in: "Parents")
        try await a.store.write { transaction in
            try transaction.update(Key([.integer(1)]), ["Label": .string("label")], in: "Children")
            let new: [String: Value] = ["Name": .string("second"), "Note": .string("new")]
            try transaction.update(Key([.integer(3)]), new, in: "Parents")
        }
        try world.execute("DELETE FROM Parents WHERE Id = 3")
        try await a.syncUntilDone()
        let conflict = try #require(try a.store.conflicts().first)
        #expect(conflict.kind == .deletedThere && conflict.isOpen)
        #expect(try world.rows("SELECT Name FROM Names") == [])
        try a.store.resolve(conflict: conflict.id, choice)
        #expect(try a.store.pendingTransactions().count == 2)
        #expect(try await a.syncUntilDone().quarantined == 0)
        #expect(try world.rows("SELECT Name FROM Names") == names)
        #expect(try world.rows("SELECT Name, Note FROM Parents WHERE Id > 2") == [row])
        #expect(try await a.verify().differences == [])
    }

    @Test func `what a person keeps of a row that has its key again comes in each transaction, too`() async throws {
        let world = try asking()
        let a = try await world.device("a")
        try await a.update(.string("P1"), ["Name": .string("first")], in: "Products")
        try await a.store.write { transaction in
            try transaction.update(Key([.string("P2")]), ["Name": .string("beside")], in: "Products")
            try transaction.update(Key([.string("P1")]), ["Name": .string("second")], in: "Products")
        }
        try world.execute("DELETE FROM Products WHERE Code = 'P1'")
        try await a.syncUntilDone()
        let conflict = try #require(try a.store.conflicts().first)
        #expect(conflict.kind == .deletedThere && conflict.isOpen)
        try world.execute("INSERT INTO Products VALUES ('P1', 7, 'other')")
        try await a.syncUntilDone()
        try a.store.resolve(conflict: conflict.id, .keepMine)
        #expect(try await a.syncUntilDone().quarantined == 0)
        #expect(try world.rows("SELECT Name FROM Names") == ["first", "beside", "second"])
        #expect(try world.rows("SELECT Rank, Name FROM Products WHERE Code < 'P3'") == ["1|second", "2|beside"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `a row that a person keeps is inserted after what it refers to and was made meanwhile`() async throws {
        let world = try World(schema: Self.boxes) { sets in
            for place in sets.indices where sets[place].names.wire == "Boxes" { sets[place].type.conflictPolicy = .ask }
        }
        let a = try await world.device("a")
        try await a.store.write { transaction in
            try transaction.update(Key([.integer(1)]), ["Name": .string("mine")], in: "Boxes")
            let owner = try transaction.insert(["Name": .string("new")], into: "Parents")
            try transaction.update(Key([.integer(1)]), ["OwnerId": owner.values[0]], in: "Boxes")
        }
        try world.execute("DELETE FROM Boxes")
        try await a.syncUntilDone()
        try a.store.resolve(conflict: try #require(try a.store.conflicts().first).id, .keepMine)
        let sent = try a.store.pendingTransactions().flatMap(\.changes).map(\.change)
        #expect(sent.map(\.operation) == [.insert, .insert])
        #expect(sent.map(\.set) == ["Parents", "Boxes"])
        #expect(try await a.syncUntilDone().quarantined == 0)
        let joined = "SELECT p.Name, b.Name FROM Boxes b JOIN Parents p ON p.Id = b.OwnerId"
        #expect(try world.rows(joined) == ["new|mine"])
    }

    /// Decides the open conflict of a set.
    private func decide(_ device: Device, _ choice: ConflictChoice = .keepMine, of set: String? = nil) throws {
        let open = try device.store.conflicts().first { $0.isOpen && (set == nil || $0.set == set) }
        try device.store.resolve(conflict: try #require(open).id, choice)
    }

    @Test(
        arguments: [(.keepMine, "6|again"), (.merge(["Name": .string("both")]), "6|both")]
            as [(ConflictChoice, String)]
    )
    func `what the row got after it was deleted and inserted again stays`(
        choice: ConflictChoice,
        row: String
    ) async throws {
        let world = try asking()
        let a = try await world.device("a")
        try await a.update(.string("P1"), ["Name": .string("first")], in: "Products")
        try world.execute("DELETE FROM Products WHERE Code = 'P1'")
        try await a.syncUntilDone()
        try await a.store.write { transaction in
            try transaction.delete(Key([.string("P1")]), in: "Products")
            let new: [String: Value] = ["Code": .string("P1"), "Rank": .integer(5), "Name": .string("again")]
            _ = try transaction.insert(new, into: "Products")
        }
        try await a.update(.string("P1"), ["Rank": .integer(6)], in: "Products")
        try decide(a, choice)
        try await a.syncUntilDone()
        #expect(try a.store.quarantined().map(\.code) == [])
        #expect(try world.rows("SELECT Rank, Name FROM Products WHERE Code = 'P1'") == [row])
        #expect(try await a.verify().differences == [])
    }

    @Test(arguments: [["Products", "Parents"], ["Parents", "Products"]])
    func `the order in which two questions are answered is no matter`(order: [String]) async throws {
        let world = try asking()
        let a = try await world.device("a")
        try await a.update(.string("P1"), ["Name": .string("first")], in: "Products")
        try await a.store.write { transaction in
            try transaction.update(Key([.integer(3)]), ["Name": .string("mine")], in: "Parents")
            try transaction.update(Key([.string("P1")]), ["Name": .string("second")], in: "Products")
        }
        try world.execute("DELETE FROM Parents WHERE Id = 3; DELETE FROM Products WHERE Code = 'P1'")
        try await a.syncUntilDone()
        #expect(try a.store.conflicts().filter(\.isOpen).map(\.set) == ["Parents", "Products"])
        for set in order { try decide(a, of: set) }
        #expect(try a.store.quarantined().map(\.code) == [])
        try await a.syncUntilDone()
        #expect(try world.rows("SELECT Name FROM Products WHERE Code = 'P1'") == ["second"])
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id > 2") == ["mine"])
        #expect(try await a.verify().differences == [])
    }

    // MARK: Beside what stays in the quarantine

    /// A device with a transaction in the quarantine: product P5 has a rank that another one has.
    private func refused(
        _ world: World,
        _ body: (@Sendable (LocalTransaction) throws -> Void)? = nil
    ) async throws -> Device {
        let a = try await world.device("a")
        try world.execute("INSERT INTO Products VALUES ('P4', 4, 'There')")
        try await a.store.write { transaction in
            _ = try transaction.insert(["Code": .string("P5"), "Rank": .integer(4)], into: "Products")
            try body?(transaction)
        }
        #expect(try await a.sync().quarantined == 1)
        return a
    }

    @Test func `it takes nothing of a transaction that stays there, which may be given up`() async throws {
        let world = try asking()
        let a = try await refused(world)
        try await a.update(.string("P1"), ["Name": .string("mine")], in: "Products")
        try await a.store.write { transaction in
            try transaction.update(Key([.string("P5")]), ["Name": .string("More")], in: "Products")
            try transaction.update(Key([.string("P1")]), ["Rank": .integer(9)], in: "Products")
        }
        try world.execute("DELETE FROM Products WHERE Code = 'P1'")
        try await a.syncUntilDone()
        try decide(a)
        try await a.syncUntilDone()
        let row = "SELECT Rank, Name FROM Products WHERE Code = 'P1'"
        #expect(try world.rows(row) == ["1|mine"])
        #expect(try a.store.discard(quarantined: try #require(try a.store.quarantined().first).id).count == 2)
        try await a.syncUntilDone()
        #expect(try world.rows(row) == ["1|mine"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `it refers to nothing that only such a transaction inserts`() async throws {
        let world = try World(schema: Self.boxes) { sets in
            for place in sets.indices where sets[place].names.wire == "Boxes" { sets[place].type.conflictPolicy = .ask }
        }
        let a = try await refused(world) { _ = try $0.insert(["Name": .string("new")], into: "Parents") }
        let owner = try #require(try a.rows("Parents").first { $0["Name"] == .string("new") }?["Id"])
        try await a.update(.integer(1), ["Name": .string("mine")], in: "Boxes")
        try await a.update(.integer(1), ["OwnerId": owner], in: "Boxes")
        try world.execute("DELETE FROM Boxes")
        try await a.syncUntilDone()
        try decide(a)
        try await a.syncUntilDone()
        #expect(try world.rows("SELECT Name FROM Boxes WHERE OwnerId IS NULL") == ["mine"])
        #expect(try a.store.quarantined().map(\.changes.count) == [2, 1])
    }

    @Test func `it is inserted, too, where such a transaction deletes it`() async throws {
        let world = try asking()
        let a = try await refused(world)
        try await a.update(.integer(1), ["Name": .string("mine")], in: "Parents")
        try await a.store.write { transaction in
            try transaction.delete(Key([.integer(1)]), in: "Parents")
            try transaction.update(Key([.string("P5")]), ["Name": .string("More")], in: "Products")
        }
        try world.execute("DELETE FROM Parents WHERE Id = 1")
        try await a.syncUntilDone()
        try decide(a)
        try await a.syncUntilDone()
        #expect(try a.store.conflicts().filter(\.isOpen).isEmpty)
        #expect(try world.rows("SELECT Name FROM Parents WHERE Name = 'mine'") == ["mine"])
    }
}

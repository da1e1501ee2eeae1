// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Rows whose keys hold the key of a row that is deleted on the service and inserted again by a device.
///
/// Found by the simulator: seeds 13 and 19.
struct OrphanTests {
    private static let schema =
        World.schema + """
            CREATE TABLE Seats (
                ParentId INTEGER NOT NULL REFERENCES Parents(Id) ON DELETE CASCADE, Code TEXT NOT NULL, Name TEXT,
                PRIMARY KEY (ParentId, Code));
            INSERT INTO Seats (ParentId, Code, Name) VALUES (1, 'x', 'plain'), (1, 'y', 'plain'), (1, 'z', 'plain');
            """
    private static let seats = """
        SELECT p.Name, s.Code, s.Name FROM Seats s JOIN Parents p ON p.Id = s.ParentId ORDER BY s.Code
        """

    @Test(arguments: [false, true])
    func `only those with changes of their own follow it`(isOneTransaction: Bool) async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        let changes: [@Sendable (LocalTransaction) throws -> Void] = [
            { _ = try $0.update(Key([.integer(1)]), ["Name": .string("mine")], in: "Parents") },
            { _ = try $0.update(Key([.integer(1), .string("y")]), ["Name": .string("changed")], in: "Seats") },
            { _ = try $0.delete(Key([.integer(1), .string("z")]), in: "Seats") },
            { transaction in
                let row: [String: Value] = ["ParentId": .integer(1), "Code": .string("n"), "Name": .string("new")]
                _ = try transaction.insert(row, into: "Seats")
            },
        ]
        if isOneTransaction {
            try await a.store.write { transaction in for change in changes { try change(transaction) } }
        } else {
            // The new seat alone would be refused, for its parent is gone when it arrives.
            for change in changes.dropLast() { try await a.store.write { try change($0) } }
        }
        try world.execute("DELETE FROM Parents WHERE Id = 1")
        #expect(try await a.sync().quarantined == 0)
        #expect(try world.rows(Self.seats) == (isOneTransaction ? ["mine|n|new"] : []) + ["mine|y|changed"])
        #expect(try a.store.status().pendingTransactions == 0)
        #expect(try await a.verify().differences == [])
    }

    /// Found by the simulator: seeds 1272 and 3018.
    @Test func `one that was refused and is given up leaves nothing under the old key or the new`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        let seat: [String: Value] = ["ParentId": .integer(1), "Code": .string("q"), "Name": .string("mine")]
        try await a.store.write { transaction in
            _ = try transaction.insert(seat, into: "Seats")
            _ = try transaction.delete(Key([.integer(1), .string("z")]), in: "Seats")
        }
        try world.execute("INSERT INTO Seats (ParentId, Code, Name) VALUES (1, 'q', 'theirs')")
        #expect(try await a.sync().quarantined == 1)
        let entry = try #require(try a.store.quarantined().first)
        #expect(entry.code == "DuplicateKey")
        try await a.update(.integer(1), ["Name": .string("mine")], in: "Parents")
        try world.execute("DELETE FROM Parents WHERE Id = 1")
        #expect(try await a.sync().quarantined == 0)
        #expect(try world.rows("SELECT Name FROM Parents WHERE Name = 'mine'") == ["mine"])
        #expect(try a.store.discard(quarantined: entry.id) == [entry.id])
        #expect(try a.rows("Seats").isEmpty)
        try await a.sync()
        #expect(try await a.verify().differences == [])
    }
}

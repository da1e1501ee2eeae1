// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// A row that was changed and changed back has the version that it had.
struct ChangedBackTests {
    private static let schema = """
        CREATE TABLE Berths (Code TEXT PRIMARY KEY, Rank INTEGER NOT NULL UNIQUE);
        CREATE TABLE Crews (Code TEXT PRIMARY KEY);
        CREATE TRIGGER refuses BEFORE INSERT ON Crews BEGIN SELECT RAISE(ABORT, 'no crew'); END;
        INSERT INTO Berths VALUES ('B0', 13);
        """

    private func row(_ device: Device, _ key: Key) throws -> [String: Value]? {
        try device.store.read { try $0.entity(key, in: "Berths") }
    }

    /// Found by the simulator: seed 138162.
    @Test func `what is given up leaves what the service has, not what it had for a moment`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        let berth = Key([.string("B0")])
        for rank in [1, 13] as [Int64] { try await a.update(.string("B0"), ["Rank": .integer(rank)], in: "Berths") }
        // While both changes are on their way: a change that builds on them, and is refused with what stands beside it.
        a.transport.begin { index in
            guard index == 0 else { return }
            _ = try await a.store.write { transaction in
                try transaction.delete(berth, in: "Berths")
                _ = try transaction.insert(["Code": .string("B0"), "Rank": .integer(3)], into: "Berths")
                _ = try transaction.insert(["Code": .string("c")], into: "Crews")
            }
        }
        #expect(try await a.syncUntilDone().sent == 2)
        #expect(try await a.syncUntilDone().quarantined == 1)
        try a.store.discard(quarantined: try #require(try a.store.quarantined().first).id)
        #expect(try row(a, berth)?["Rank"] == .integer(13))
        let differences = try await a.verify().differences
        #expect(differences == [])
    }

    /// Found by the simulator: seed 138543.
    @Test func `what is refused again and given up leaves what the service has by now`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        let berth = Key([.string("B0")])
        try world.execute("UPDATE Berths SET Rank = 5 WHERE Code = 'B0'")
        try await a.store.write { transaction in
            try transaction.delete(berth, in: "Berths")
            _ = try transaction.insert(["Code": .string("B0"), "Rank": .integer(3)], into: "Berths")
            _ = try transaction.insert(["Code": .string("c")], into: "Crews")
        }
        _ = try await a.syncUntilDone()
        try a.store.retry(quarantined: try #require(try a.store.quarantined().first).id)
        _ = try await a.syncUntilDone()
        try a.store.discard(quarantined: try #require(try a.store.quarantined().first).id)
        #expect(try row(a, berth)?["Rank"] == .integer(5))
        let differences = try await a.verify().differences
        #expect(differences == [])
    }
}

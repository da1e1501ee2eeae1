// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Rows that are taken away from one that is deleted after that.
///
/// Found by the simulator: seed 10050.
struct MovedAwayTests {
    /// A device that gives both children of the first parent to the third one, makes a product and changes the third
    /// parent too, and then deletes the first.
    private func device(_ world: World) async throws -> Device {
        let a = try await world.device("a")
        try await a.store.write { transaction in
            try transaction.update(Key([.integer(3)]), ["Name": .string("mine")], in: "Parents")
            try transaction.update(Key([.integer(1)]), ["ParentId": .integer(3)], in: "Children")
            try transaction.update(Key([.integer(2)]), ["ParentId": .integer(3)], in: "Children")
            _ = try transaction.insert(["Code": .string("P4"), "Rank": .integer(4)], into: "Products")
        }
        try await a.delete(.integer(1), in: "Parents")
        return a
    }

    @Test func `the deletion waits for the transaction that took them away to be merged and sent again`() async throws {
        let world = try World()
        let a = try await device(world)
        #expect(try a.store.pendingTransactions().map(\.dependencies) == [[], [1]])
        try world.execute("UPDATE Parents SET Note = 'theirs' WHERE Id = 3")
        let report = try await a.sync()
        #expect(report.sent == 2 && report.conflicts == 0)
        #expect(try world.rows("SELECT Id, Name, Note FROM Parents") == ["2|two|n", "3|mine|theirs"])
        #expect(try world.rows("SELECT Id, ParentId, Label FROM Children") == ["1|3|a", "2|3|b", "3|2|c"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `the deletion goes to the quarantine with the transaction that took them away`() async throws {
        let world = try World()
        let a = try await device(world)
        try world.execute("INSERT INTO Products VALUES ('Q4', 4, 'theirs')")
        let report = try await a.sync()
        #expect(report.sent == 0 && report.quarantined == 2)
        #expect(try a.store.quarantined().map(\.code) == ["DuplicateValue", "DependsOnQuarantined"])
        #expect(try world.rows("SELECT Id, ParentId FROM Children") == ["1|1", "2|1", "3|2"])
        let first = try #require(try a.store.quarantined().first)
        #expect(try a.store.discard(quarantined: first.id).count == 2)
        try await a.sync()
        #expect(try await a.verify().differences == [])
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// A key that a service gives again after it went back, to a row of a device that knows it as that of another one.
///
/// Found by the simulator: seed 15927.
struct KeyGivenAgainTests {
    private func event(_ text: String) -> [String: Value] { ["OwnerId": .integer(1), "Text": .string(text)] }

    /// The store in memory gives no key a second time.
    @Test(arguments: ServedDomain.Kind.allCases.filter { $0 != .memory })
    func `what deletes the one and changes the other does so, and the one that went is inserted again`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        let a = try await served.device("a")
        let restore = try served.backup()
        try await a.insert(event("lost"), into: "Events")
        try await a.sync()
        try restore()
        let new = try await a.insert(event("new"), into: "Events")
        try await a.update(.integer(1), ["Text": .string("changed")], in: "Events")
        // The service gives the new row the key of the lost one; its answer does not come before the next transaction.
        a.transport.begin(fault: .dropAfter, at: 0) { index in
            guard index == 1 else { return }
            _ = try await a.store.write { transaction in
                try transaction.delete(new, in: "Events")
                try transaction.update(Key([.integer(1)]), ["Text": .string("again")], in: "Events")
            }
        }
        let report = try await a.sync()
        a.transport.begin()
        #expect(report.sent == 3 && report.quarantined == 0)
        #expect(try served.rows("Events", "Text") == ["again"])
        #expect(try a.rows("Events").map { $0["Text"] } == [.string("again")])
        #expect(try a.store.conflicts().map(\.kind) == [.deletedThere])
        #expect(try await a.verify().differences == [])
    }

    /// As the owner of a database empties a table for a new season.
    private func beginAgain(_ world: World) throws {
        try world.execute("DELETE FROM Children; DELETE FROM sqlite_sequence WHERE name = 'Children'")
    }

    @Test(arguments: [false, true])
    func `a new row whose key was that of one which is deleted here stays`(isDeletedFirst: Bool) async throws {
        let world = try World()
        let a = try await world.device("a")
        if isDeletedFirst { try await a.delete(.integer(1), in: "Children") }
        try await a.insert(["ParentId": .integer(2), "Label": .string("new")], into: "Children")
        if !isDeletedFirst { try await a.delete(.integer(1), in: "Children") }
        try beginAgain(world)
        let report = try await a.sync()
        #expect(report.quarantined == 0)
        #expect(try world.rows("SELECT Id, Label FROM Children") == ["1|new"])
        #expect(try a.rows("Children").map { $0["Label"] } == [.string("new")])
        #expect(try a.store.status().pendingTransactions == 0)
        #expect(try await a.verify().differences == [])
    }

    @Test
    func `a new row whose key was that of one which is changed here stays, and the changed one is inserted again`()
        async throws
    {
        let world = try World()
        let a = try await world.device("a")
        try await a.insert(["ParentId": .integer(2), "Label": .string("new")], into: "Children")
        try await a.update(.integer(1), ["Label": .string("changed")], in: "Children")
        try beginAgain(world)
        try await a.syncUntilDone()
        #expect(try world.rows("SELECT Id, Label FROM Children ORDER BY Id") == ["1|new", "2|changed"])
        #expect(try a.store.quarantined().isEmpty)
        #expect(try a.store.conflicts().map(\.kind) == [.deletedThere])
        #expect(try await a.verify().differences == [])
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Rows that a device deletes, with what refers to them, and inserts again under their keys, while another one changes
/// what refers to them.
struct ReplacedPrincipalTests {
    private static let schema = """
        CREATE TABLE Projects (Code TEXT NOT NULL PRIMARY KEY, Title TEXT, Note TEXT);
        CREATE TABLE Works (
            Id TEXT NOT NULL PRIMARY KEY, Code TEXT NOT NULL REFERENCES Projects(Code) ON DELETE CASCADE, Memo TEXT);
        INSERT INTO Projects VALUES ('P', 'old', 'n'), ('Q', 'q', NULL);
        INSERT INTO Works VALUES ('w1', 'P', 'm1'), ('w2', 'P', 'm2'), ('w3', 'Q', 'm3');
        """
    private static let projects = "SELECT Code, Title, Note FROM Projects ORDER BY Code"
    private static let works = "SELECT Id, Code, Memo FROM Works ORDER BY Id"
    private static let theirs = "UPDATE Works SET Memo = 'theirs' WHERE Id = 'w1'"

    /// Both sides have the same, and nothing waits.
    private func expectRest(_ world: World, _ a: Device, _ projects: [String], _ works: [String]) async throws {
        #expect(try world.rows(Self.projects) == projects)
        #expect(try world.rows(Self.works) == works)
        #expect(try a.store.status().pendingTransactions == 0)
        #expect(try a.store.quarantined() == [])
        #expect(try await a.verify().differences == [])
    }

    /// - Parameter isSplit: whether each write is sent as a transaction of its own.
    private func write(
        _ a: Device,
        isSplit: Bool,
        _ steps: [@Sendable (LocalTransaction) throws -> Void]
    ) async throws {
        guard isSplit else {
            return try await a.store.write { transaction in
                for step in steps { try step(transaction) }
            }
        }
        for step in steps {
            try await a.store.write { try step($0) }
            // What was handed out is joined with nothing more.
            _ = try a.store.pendingTransactions()
        }
    }

    private static let delete: @Sendable (LocalTransaction) throws -> Void = { transaction in
        _ = try transaction.delete(Key([.string("P")]), in: "Projects")
    }

    private static func insert(
        _ title: String,
        note: String? = nil
    ) -> @Sendable (LocalTransaction) throws -> Void {
        { transaction in
            var row: [String: Value] = ["Code": .string("P"), "Title": .string(title)]
            if let note { row["Note"] = .string(note) }
            _ = try transaction.insert(row, into: "Projects")
        }
    }

    @Test(arguments: [true, false])
    func `the new row is there, with what was changed there below the old one`(isSplit: Bool) async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try await write(a, isSplit: isSplit, [Self.delete, Self.insert("anew")])
        #expect(try a.rows("Works").map { $0["Id"] } == [.string("w3")])
        try world.execute(Self.theirs)
        try await a.syncUntilDone()
        let projects = ["P|anew|-", "Q|q|-"]
        try await expectRest(world, a, projects, ["w1|P|theirs", "w2|P|m2", "w3|Q|m3"])
        let conflicts = try a.store.conflicts()
        #expect(conflicts.map(\.set) == ["Works", "Works"] && conflicts.allSatisfy { $0.kind == .deletedHere })
        #expect(conflicts.map(\.key) == [Key([.string("w1")]), Key([.string("w2")])])
        let memo = try #require(conflicts.first?.properties.first { $0.name == "Memo" })
        #expect(memo.mine == .null && memo.theirs == .string("theirs") && !memo.mineWon)
        // Seen now, it may be deleted after all.
        try a.store.resolve(conflict: try #require(conflicts.first).id, .keepMine)
        try await a.syncUntilDone()
        try await expectRest(world, a, projects, ["w2|P|m2", "w3|Q|m3"])
    }

    @Test func `where it was deleted once more it stays as the service has it`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try await write(a, isSplit: true, [Self.delete, Self.insert("anew"), Self.delete])
        try world.execute(Self.theirs)
        try await a.syncUntilDone()
        try await expectRest(world, a, ["P|old|n", "Q|q|-"], ["w1|P|theirs", "w2|P|m2", "w3|Q|m3"])
        let conflicts = try a.store.conflicts()
        #expect(conflicts.map(\.set) == ["Works", "Projects", "Works"])
        #expect(conflicts.allSatisfy { $0.kind == .deletedHere })
        let title = try #require(conflicts.first { $0.set == "Projects" }?.properties.first { $0.name == "Title" })
        #expect(title.mine == .null && title.theirs == .string("old") && !title.mineWon)
    }

    @Test func `what this device changed itself before the deletion is in the log`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try await write(
            a,
            isSplit: true,
            [
                { _ = try $0.update(Key([.string("w1")]), ["Memo": .string("mine")], in: "Works") },
                Self.delete, Self.insert("anew"),
            ]
        )
        try world.execute(Self.theirs)
        try await a.syncUntilDone()
        try await expectRest(world, a, ["P|anew|-", "Q|q|-"], ["w1|P|theirs", "w2|P|m2", "w3|Q|m3"])
        let lost = try #require(try a.store.conflicts().first { $0.key == Key([.string("w1")]) })
        let memo = try #require(lost.properties.first { $0.name == "Memo" })
        #expect(memo.theirs == .string("theirs") && !memo.mineWon)
    }

    @Test func `a row that is inserted as it was needs no change, and what is changed in it later counts`() async throws
    {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try await write(
            a,
            isSplit: true,
            [
                Self.delete, Self.insert("old", note: "n"),
                { _ = try $0.update(Key([.string("P")]), ["Title": .string("later")], in: "Projects") },
            ]
        )
        try world.execute(Self.theirs)
        try await a.syncUntilDone()
        try await expectRest(world, a, ["P|later|n", "Q|q|-"], ["w1|P|theirs", "w2|P|m2", "w3|Q|m3"])
        #expect(try a.store.conflicts().map(\.set) == ["Works", "Works"])
    }

    @Test func `what was changed in it before the deletion gives way to the new row`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try await write(
            a,
            isSplit: true,
            [
                { _ = try $0.update(Key([.string("P")]), ["Title": .string("mine")], in: "Projects") },
                Self.delete, Self.insert("anew"),
            ]
        )
        try world.execute(Self.theirs)
        try await a.syncUntilDone()
        try await expectRest(world, a, ["P|anew|-", "Q|q|-"], ["w1|P|theirs", "w2|P|m2", "w3|Q|m3"])
    }

    @Test func `what is moved below the new row does not bring back what fell with the old one`() async throws {
        let world = try World(schema: Self.schema)
        let a = try await world.device("a")
        try await write(
            a,
            isSplit: false,
            [
                Self.delete, Self.insert("anew"),
                { _ = try $0.update(Key([.string("w3")]), ["Code": .string("P")], in: "Works") },
            ]
        )
        try world.execute("UPDATE Works SET Memo = 'theirs' WHERE Id = 'w3'")
        try await a.syncUntilDone()
        try await expectRest(world, a, ["P|anew|-", "Q|q|-"], ["w3|P|theirs"])
        #expect(try a.store.conflicts().isEmpty)
    }
}

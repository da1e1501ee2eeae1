// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStore
import TidelineSync

/// A restored database that replaced one which could not tell which keys it had given.
struct LostDatabaseTests {
    /// In the order of their keys, which nobody foretells.
    private static let parents = "SELECT Name, Note FROM Parents WHERE Id > 3 ORDER BY Id"
    /// What another program's row is; of one that is equal to the lost one the content does not tell it.
    private static let strangers = ["stranger", "lost"]

    /// - Parameter isCounted: whether SQLite gives no key twice: AUTOINCREMENT.
    private func world(_ isCounted: Bool) throws -> World {
        try World(schema: isCounted ? World.schema : World.schema.replacing("AUTOINCREMENT", with: ""))
    }

    private func backup(_ world: World) throws -> String {
        let backup = world.folder + "/backup.sqlite"
        try SQLiteBackup.write(world.folder + "/server.sqlite", to: backup)
        return backup
    }

    /// Puts a backup over a database which does not tell how far it had gone.
    private func lose(_ world: World, _ backup: String) throws {
        try world.execute("DROP TABLE tideline_state")
        let path = world.folder + "/server.sqlite"
        let found = try SQLiteBackup.restore(backup, into: path, model: world.service.domain.model)
        #expect(found == .unpublished)
    }

    private func key(_ world: World, _ name: String) throws -> Int64 {
        let keys = try world.rows("SELECT Id FROM Parents WHERE Name = '\(name)' ORDER BY Id LIMIT 1")
        let key = keys.first.flatMap { Int64($0) }
        return try #require(key)
    }

    /// A device that knows the parent 4, which was made after the backup, changes something, and syncs when another program
    /// has inserted a parent after the loss.
    private func restored(
        _ world: World,
        _ stranger: String,
        _ isCounted: Bool,
        _ change: (Device) async throws -> Void
    ) async throws -> Device {
        let device = try await world.device("a")
        let backup = try backup(world)
        try await device.insert(["Name": .string("lost")], into: "Parents")
        try await device.sync()
        #expect(try key(world, "lost") == 4)
        try await change(device)
        try lose(world, backup)
        try world.execute("INSERT INTO Parents (Name) VALUES ('\(stranger)')")
        let isGivenAgain = try key(world, stranger) == 4
        #expect(isGivenAgain == !isCounted)
        for _ in 0..<2 { try await device.syncUntilDone() }
        return device
    }

    @Test(arguments: strangers, [true, false])
    func `what was changed in the lost row goes to no other one, and is inserted again`(
        stranger: String,
        isCounted: Bool
    ) async throws {
        let world = try world(isCounted)
        let a = try await restored(world, stranger, isCounted) { device in
            try await device.update(.integer(4), ["Note": .string("mine")], in: "Parents")
        }
        #expect(try world.rows(Self.parents) == ["\(stranger)|-", "lost|mine"])
        #expect(try a.store.conflicts().map(\.kind) == [.deletedThere])
        #expect(try a.store.quarantined().isEmpty)
        #expect(try await a.verify().differences == [])
    }

    @Test(arguments: strangers, [true, false])
    func `a deletion of the lost row deletes no other one`(stranger: String, isCounted: Bool) async throws {
        let world = try world(isCounted)
        let a = try await restored(world, stranger, isCounted) { device in
            try await device.delete(.integer(4), in: "Parents")
        }
        #expect(try world.rows(Self.parents) == ["\(stranger)|-"])
        #expect(try a.store.conflicts().isEmpty)
        #expect(try a.store.status().pendingTransactions == 0)
        #expect(try await a.verify().differences == [])
    }

    @Test(arguments: strangers, [true, false])
    func `what was put below the lost row is put below no other one`(stranger: String, isCounted: Bool) async throws {
        let world = try world(isCounted)
        let a = try await restored(world, stranger, isCounted) { device in
            try await device.insert(["ParentId": .integer(4), "Label": .string("mine")], into: "Children")
        }
        #expect(try world.rows("SELECT Label FROM Children WHERE Label = 'mine'") == [])
        let held = try a.store.quarantined()
        #expect(held.map(\.code) == ["MissingReference"])
        try a.store.discard(quarantined: try #require(held.first).id)
        try await a.syncUntilDone()
        #expect(try await a.verify().differences == [])
    }

    @Test(arguments: [true, false])
    func `what is put below another program's row once the device knows it is done`(isCounted: Bool) async throws {
        let world = try world(isCounted)
        let a = try await restored(world, "stranger", isCounted) { _ in }
        let stranger = Value.integer(try key(world, "stranger"))
        try await a.insert(["ParentId": stranger, "Label": .string("mine")], into: "Children")
        try await a.update(stranger, ["Note": .string("known")], in: "Parents")
        try await a.syncUntilDone()
        #expect(try a.store.quarantined().isEmpty)
        let joined = "SELECT p.Name, c.Label FROM Children c JOIN Parents p ON p.Id = c.ParentId WHERE p.Id > 3"
        #expect(try world.rows(joined) == ["stranger|mine"])
        #expect(try world.rows(Self.parents) == ["stranger|known"])
        #expect(try await a.verify().differences == [])
    }

    /// How a parent and what is below it are sent.
    enum Sending: CaseIterable {
        case oneTransaction, twoTransactions, twoSyncs
    }

    /// Makes a parent with a child, and sends both.
    ///
    /// - Parameter loss: happens before anything is sent.
    private func family(_ device: Device, _ sending: Sending, loss: () throws -> Void = {}) async throws {
        let parent: [String: Value] = ["Name": .string("new \(device.name)")]
        let label = Value.string("below \(device.name)")
        switch sending {
        case .oneTransaction:
            try await device.store.write { transaction in
                let key = try transaction.insert(parent, into: "Parents")
                _ = try transaction.insert(["ParentId": key.values[0], "Label": label], into: "Children")
            }
            try loss()
        case .twoTransactions:
            let key = try await device.insert(parent, into: "Parents")
            try await device.insert(["ParentId": key.values[0], "Label": label], into: "Children")
            try loss()
        case .twoSyncs:
            try await device.insert(parent, into: "Parents")
            try loss()
            try await device.syncUntilDone()
            let rows = try device.rows("Parents")
            let key = rows.first(where: { $0["Name"] == parent["Name"] })?["Id"]
            try await device.insert(["ParentId": try #require(key), "Label": label], into: "Children")
        }
        try await device.syncUntilDone()
    }

    @Test(arguments: Sending.allCases, [true, false])
    func `a new row and what is below it are sent after a loss, whether they waited before it or are made after it`(
        sending: Sending,
        isCounted: Bool
    ) async throws {
        let world = try world(isCounted)
        let backup = try backup(world)
        let a = try await world.device("a")
        try await a.insert(["Name": .string("lost")], into: "Parents")
        try await a.sync()
        try await family(a, sending) { try lose(world, backup) }
        let b = try await world.device("b")
        try await family(b, sending)
        // Key 4 was that of the lost row; no row of a device gets one of the million that begins there.
        #expect(try world.rows("SELECT COUNT(*) FROM Parents WHERE Id BETWEEN 4 AND 1000003") == ["0"])
        let joined = """
            SELECT p.Name, c.Label FROM Children c JOIN Parents p ON p.Id = c.ParentId WHERE p.Id > 3 ORDER BY p.Id
            """
        #expect(try world.rows(joined) == ["new a|below a", "new b|below b"])
        for device in [a, b] {
            try await device.syncUntilDone()
            #expect(try device.store.quarantined().isEmpty)
            #expect(try device.store.status().pendingTransactions == 0)
            #expect(try await device.verify().differences == [])
        }
    }

    @Test(arguments: [true, false])
    func `what was changed in a row of between two losses goes to no other one`(isCounted: Bool) async throws {
        let world = try world(isCounted)
        let backup = try backup(world)
        let (a, b) = (try await world.device("a"), try await world.device("b"))
        try lose(world, backup)
        try await a.insert(["Name": .string("first")], into: "Parents")
        try await a.syncUntilDone()
        let first = try key(world, "first")
        try await a.update(.integer(first), ["Note": .string("mine")], in: "Parents")
        try lose(world, backup)
        try await b.insert(["Name": .string("second")], into: "Parents")
        try await b.syncUntilDone()
        // By chance: one of a million may be the same.
        #expect(try key(world, "second") != first)
        for _ in 0..<2 { try await a.syncUntilDone() }
        #expect(try world.rows(Self.parents) == ["second|-", "first|mine"])
        #expect(try a.store.conflicts().map(\.kind) == [.deletedThere])
        #expect(try await a.verify().differences == [])
    }
}

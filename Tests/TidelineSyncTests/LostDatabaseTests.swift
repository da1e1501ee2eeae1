// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStore
import TidelineSync

/// A key that a restored database gives again, because what it replaced could not tell that it was given.
struct LostDatabaseTests {
    private static let parents = "SELECT Id, Name, Note FROM Parents WHERE Id > 3 ORDER BY Id"
    /// What the row is that has the key then; of one that is equal the content does not tell it.
    private static let strangers = ["stranger", "lost"]

    /// A device that knows the parent 4, which was made after the backup, changes something, and syncs when key 4 is that
    /// of another parent.
    private func restored(
        _ world: World,
        _ stranger: String,
        _ change: (Device) async throws -> Void
    ) async throws -> Device {
        let device = try await world.device("a")
        let (path, backup) = (world.folder + "/server.sqlite", world.folder + "/backup.sqlite")
        try SQLiteBackup.write(path, to: backup)
        try await device.insert(["Name": .string("lost")], into: "Parents")
        try await device.sync()
        #expect(try world.rows(Self.parents) == ["4|lost|-"])
        try await change(device)
        // Nothing tells how far it had gone.
        try world.execute("DROP TABLE tideline_state")
        let found = try SQLiteBackup.restore(backup, into: path, model: world.service.domain.model)
        #expect(found == .unpublished)
        try world.execute("INSERT INTO Parents (Name) VALUES ('\(stranger)')")
        #expect(try world.rows(Self.parents) == ["4|\(stranger)|-"])
        for _ in 0..<2 { try await device.syncUntilDone() }
        return device
    }

    @Test(arguments: strangers)
    func `what was changed in the lost row does not go to the new one, and is inserted again`(
        stranger: String
    ) async throws {
        let world = try World()
        let a = try await restored(world, stranger) { device in
            try await device.update(.integer(4), ["Note": .string("mine")], in: "Parents")
        }
        #expect(try world.rows(Self.parents) == ["4|\(stranger)|-", "5|lost|mine"])
        #expect(try a.store.conflicts().map(\.kind) == [.deletedThere])
        #expect(try a.store.quarantined().isEmpty)
        #expect(try await a.verify().differences == [])
    }

    @Test(arguments: strangers)
    func `a deletion of the lost row does not delete the new one`(stranger: String) async throws {
        let world = try World()
        let a = try await restored(world, stranger) { device in try await device.delete(.integer(4), in: "Parents") }
        #expect(try world.rows(Self.parents) == ["4|\(stranger)|-"])
        #expect(try a.store.conflicts().isEmpty)
        #expect(try a.store.status().pendingTransactions == 0)
        #expect(try await a.verify().differences == [])
    }

    @Test(arguments: strangers)
    func `what was put below the lost row is not put below the new one`(stranger: String) async throws {
        let world = try World()
        let a = try await restored(world, stranger) { device in
            try await device.insert(["ParentId": .integer(4), "Label": .string("mine")], into: "Children")
        }
        #expect(try world.rows("SELECT Label FROM Children WHERE ParentId = 4") == [])
        let held = try a.store.quarantined()
        #expect(held.map(\.code) == ["MissingReference"])
        try a.store.discard(quarantined: try #require(held.first).id)
        try await a.syncUntilDone()
        #expect(try await a.verify().differences == [])
    }

    @Test func `what is put below the new row once the device knows it is done`() async throws {
        let world = try World()
        let a = try await restored(world, "stranger") { _ in }
        try await a.insert(["ParentId": .integer(4), "Label": .string("mine")], into: "Children")
        try await a.update(.integer(4), ["Note": .string("known")], in: "Parents")
        try await a.syncUntilDone()
        #expect(try a.store.quarantined().isEmpty)
        #expect(try world.rows("SELECT Label FROM Children WHERE ParentId = 4") == ["mine"])
        #expect(try world.rows(Self.parents) == ["4|stranger|known"])
        #expect(try await a.verify().differences == [])
    }
}

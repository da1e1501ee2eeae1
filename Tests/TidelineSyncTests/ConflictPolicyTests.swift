// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Policies of a service, on devices that cloned it.
struct ConflictPolicyTests {
    private static let parents = "SELECT Id, Name, Note, Amount FROM Parents ORDER BY Id"

    private func world() throws -> World {
        try World(shaping: { sets in
            guard let place = sets.firstIndex(where: { $0.names.wire == "Parents" }) else { return }
            for (name, policy) in [
                ("Name", ConflictPolicy.ask), ("Note", ConflictPolicy(.words, else: .clientWins)), ("Amount", .counter),
            ] {
                guard let property = sets[place].type.propertyIndex(wire: name) else { continue }
                sets[place].type.properties[property].conflictPolicy = policy
            }
            sets[place].type.conflictPolicy = .lastEdit
        })
    }

    @Test func `a device that clones has the policies of the service`() async throws {
        let device = try await world().device("a")
        let type = try #require(device.store.model[set: "Parents"]).type
        #expect(type.conflictPolicy == .lastEdit)
        #expect(
            type.properties.map(\.conflictPolicy) == [nil, .ask, ConflictPolicy(.words, else: .clientWins), .counter]
        )
    }

    @Test func `additions of both devices count, and edits of a text that do not touch`() async throws {
        let world = try world()
        try world.execute("UPDATE Parents SET Note = 'the red house' WHERE Id = 1")
        let a = try await world.device("a")
        let b = try await world.device("b")
        try await a.update(.integer(1), ["Amount": .integer(13), "Note": .string("the old red house")], in: "Parents")
        // Two transactions of one device, each with its step.
        try await b.update(.integer(1), ["Amount": .integer(13), "Note": .string("the red barn")], in: "Parents")
        try await b.insert(["Name": .string("four")], into: "Parents")
        try await b.update(.integer(1), ["Amount": .integer(14)], in: "Parents")
        for device in [a, b, a, b] { try await device.syncUntilDone() }
        #expect(try world.rows(Self.parents).first == "1|one|the old red barn|17")
        for device in [a, b] { #expect(try await device.verify().isEqual) }
        let conflicts = try b.store.conflicts()
        #expect(conflicts.flatMap(\.properties).map(\.name) == ["Note", "Amount"])
    }

    @Test func `what a person decides is sent when it is decided`() async throws {
        let world = try world()
        let a = try await world.device("a")
        let b = try await world.device("b")
        try await a.update(.integer(1), ["Name": .string("A")], in: "Parents")
        try await b.update(.integer(1), ["Name": .string("B"), "Amount": .integer(11)], in: "Parents")
        for device in [a, b] { try await device.syncUntilDone() }
        #expect(try world.rows(Self.parents).first == "1|A|-|10")
        let conflict = try #require(try b.store.conflicts().first)
        #expect(conflict.isOpen)
        // Other changes go on meanwhile.
        try await b.update(.integer(2), ["Amount": .integer(21)], in: "Parents")
        try await b.syncUntilDone()
        #expect(try world.rows(Self.parents).prefix(2) == ["1|A|-|10", "2|two|n|21"])
        try b.store.resolve(conflict: conflict.id, .keepMine)
        for device in [b, a] { try await device.syncUntilDone() }
        #expect(try world.rows(Self.parents).first == "1|B|-|11")
        #expect(try a.store.conflicts() == [] && b.store.conflicts() == [])
        #expect(try b.store.quarantined() == [])
        for device in [a, b] { #expect(try await device.verify().isEqual) }
    }

    @Test func `the later of a deletion and a change counts where the type says so`() async throws {
        let world = try world()
        let a = try await world.device("a")
        let b = try await world.device("b")
        try await a.update(.integer(3), ["Amount": .integer(31)], in: "Parents")
        try await b.delete(.integer(3), in: "Parents")
        for device in [a, b, a] { try await device.syncUntilDone() }
        #expect(try world.rows(Self.parents).count == 2)
        let conflict = try #require(try b.store.conflicts().first)
        #expect(conflict.kind == .deletedHere && conflict.mineWon)
        try b.store.restore(conflict: conflict.id)
        try await b.syncUntilDone()
        #expect(try world.rows("SELECT Name, Amount FROM Parents ORDER BY Id").last == "three|31")
    }
}

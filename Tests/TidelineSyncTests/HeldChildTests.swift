// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Rows that a device inserted below another one, which the service deleted and a person decides about.
struct HeldChildTests {
    /// A device that inserted a child below parent 1 and changed that, in either order; the service deleted the parent.
    private func deviceWithChild(first isFirst: Bool) async throws -> (world: World, device: Device) {
        let world = try World(shaping: { sets in
            for place in sets.indices where sets[place].names.wire == "Parents" {
                sets[place].type.conflictPolicy = .ask
            }
        })
        let device = try await world.device("a")
        let child: [String: Value] = ["ParentId": .integer(1), "Label": .string("new")]
        if isFirst { try await device.insert(child, into: "Children") }
        try await device.update(.integer(1), ["Name": .string("mine")], in: "Parents")
        if !isFirst { try await device.insert(child, into: "Children") }
        try world.execute("DELETE FROM Parents WHERE Id = 1")
        try await device.syncUntilDone()
        let codes = try device.store.quarantined().map(\.code).sorted()
        #expect(codes == ["Conflict", "MissingReference"])
        return (world, device)
    }

    @Test(arguments: [true, false], [true, false])
    func `a child goes with its parent that a person keeps or sends again, whichever was made first`(
        isFirst: Bool,
        isDecided: Bool
    ) async throws {
        let (world, a) = try await deviceWithChild(first: isFirst)
        if isDecided {
            let conflict = try #require(try a.store.conflicts().first(where: \.isOpen))
            try a.store.resolve(conflict: conflict.id, .keepMine)
        } else {
            let parent = try #require(try a.store.quarantined().first { $0.code == "Conflict" })
            try a.store.retry(quarantined: parent.id)
        }
        #expect(try a.store.quarantined().map(\.code) == [])
        #expect(try await a.syncUntilDone().sent == 2)
        let joined = "SELECT p.Name, c.Label FROM Children c JOIN Parents p ON p.Id = c.ParentId WHERE p.Name = 'mine'"
        #expect(try world.rows(joined) == ["mine|new"])
        #expect(try a.store.quarantined().map(\.message) == [])
        #expect(try await a.verify().isEqual)
    }

    @Test func `a child stays in the quarantine where a person lets its parent go`() async throws {
        let (world, a) = try await deviceWithChild(first: true)
        let conflict = try #require(try a.store.conflicts().first(where: \.isOpen))
        try a.store.resolve(conflict: conflict.id, .keepTheirs)
        try await a.syncUntilDone()
        let held = try a.store.quarantined()
        #expect(held.map(\.code) == ["MissingReference"])
        let child = try #require(held.first)
        #expect(try a.store.discard(quarantined: child.id) == [child.id])
        #expect(try world.rows("SELECT Label FROM Children") == ["c"])
        #expect(try await a.verify().isEqual)
    }
}

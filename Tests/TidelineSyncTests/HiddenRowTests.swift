// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineStore
import TidelineSync

/// Rows that are out of a user's sight for a while, and changed or deleted on the user's device meanwhile.
///
/// The service answers a change of such a row as one of a row that is not there; the pull tells the two apart.
struct HiddenRowTests {
    private static let theirs: [String: Value] = ["OwnerId": .integer(2)]
    private static let back: [String: Value] = ["OwnerId": .integer(1)]

    /// A domain with an event of ann's, and her device.
    private func served(_ kind: ServedDomain.Kind) async throws -> (served: ServedDomain, ann: Device) {
        let served = try ServedDomain(kind)
        try served.write { writer in
            try writer.insert(["OwnerId": .integer(1), "Text": .string("first")], into: "Events")
        }
        return (served, try await served.device("a"))
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `a deletion is held, and is done when it is sent again and the row can be seen`(
        kind: ServedDomain.Kind
    ) async throws {
        let (served, ann) = try await served(kind)
        try await ann.delete(.integer(1), in: "Events")
        try served.write { try $0.update(1, Self.theirs, in: "Events") }
        #expect(try await ann.sync().quarantined == 1)
        #expect(try ann.store.quarantined().map(\.code) == ["LeftScope"])
        #expect(try served.rows("Events", "Id", "OwnerId") == ["1|2"])
        try served.write { try $0.update(1, Self.back, in: "Events") }
        try await ann.sync()
        // It is deleted here, as far as that waits.
        #expect(try ann.keys("Events") == [])
        try ann.store.retry(quarantined: try #require(ann.store.quarantined().first).id)
        try await ann.sync()
        #expect(try served.rows("Events", "Id", "OwnerId") == [])
        #expect(try ann.store.quarantined() == [])
        #expect(try await ann.verify().differences == [])
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `a change is held, and ends in the row that it was made in`(kind: ServedDomain.Kind) async throws {
        let (served, ann) = try await served(kind)
        try await ann.update(.integer(1), ["Text": .string("mine")], in: "Events")
        try served.write { try $0.update(1, Self.theirs, in: "Events") }
        #expect(try await ann.sync().quarantined == 1)
        #expect(try ann.store.quarantined().map(\.code) == ["LeftScope"])
        // Out of sight is out of the device, too.
        #expect(try ann.keys("Events") == [])
        try served.write { try $0.update(1, Self.back, in: "Events") }
        // Sent again before the device has heard that the row is back.
        try ann.store.retry(quarantined: try #require(ann.store.quarantined().first).id)
        try await ann.sync()
        #expect(try served.rows("Events", "Id", "OwnerId", "Text") == ["1|1|mine"])
        #expect(try ann.store.quarantined() == [])
        #expect(try await ann.verify().differences == [])
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `what a narrower right hides is held, as when the row itself moves away`(kind: ServedDomain.Kind) async throws
    {
        let served = try ServedDomain(kind)
        try served.write { writer in
            for text in ["one", "two", "three", "four"] {
                try writer.insert(["OwnerId": .integer(1), "Text": .string(text)], into: "Events")
            }
        }
        let ann = try await served.device("a")
        for id in Int64(2)...3 { try await ann.update(.integer(id), ["Text": .string("mine")], in: "Events") }
        try await ann.delete(.integer(4), in: "Events")
        served.setUser(UserContext(id: .integer(1), name: "ann", roles: ["junior"]), of: "a")
        #expect(try await ann.sync().quarantined == 2)
        #expect(try ann.store.quarantined().map(\.code) == ["LeftScope", "LeftScope"])
        // Nothing was made anew in the place of what is only hidden.
        #expect(try served.rows("Events", "Id", "Text") == ["1|one", "2|mine", "3|three", "4|four"])
        #expect(try ann.keys("Events") == [1, 2])
        served.setUser(ServedDomain.ann, of: "a")
        try await ann.sync()
        for entry in try ann.store.quarantined() { try ann.store.retry(quarantined: entry.id) }
        try await ann.sync()
        #expect(try served.rows("Events", "Id", "Text") == ["1|one", "2|mine", "3|mine"])
        #expect(try ann.store.quarantined() == [])
        #expect(try await ann.verify().differences == [])
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `what is sent again while the row is out of sight is in the conflict log, and the row stays as it is`(
        kind: ServedDomain.Kind
    ) async throws {
        let (served, ann) = try await served(kind)
        try served.write { try $0.insert(["OwnerId": .integer(1), "Text": .string("second")], into: "Events") }
        try await ann.sync()
        try await ann.delete(.integer(1), in: "Events")
        try await ann.update(.integer(2), ["Text": .string("mine")], in: "Events")
        try served.write { writer in for id in Int64(1)...2 { try writer.update(id, Self.theirs, in: "Events") } }
        #expect(try await ann.sync().quarantined == 2)
        for entry in try ann.store.quarantined() { try ann.store.retry(quarantined: entry.id) }
        try await ann.sync()
        #expect(try served.rows("Events", "Id", "OwnerId", "Text") == ["1|2|first", "2|2|second"])
        #expect(try ann.store.quarantined() == [])
        let lost = try ann.store.conflicts().sorted { "\($0.key)" < "\($1.key)" }
        #expect(lost.map(\.kind) == [.deletedHere, .deletedThere])
        #expect(lost.map(\.mineWon) == [false, false])
        #expect(lost.map { $0.properties.first { $0.name == "Text" }?.base } == [.string("first"), .string("second")])
        #expect(try await ann.verify().differences == [])
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `a change that was refused before the row was out of sight does not make it again`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        try served.write { writer in
            for id in Int64(1)...2 {
                try writer.insert(["Id": .integer(id), "OwnerId": .integer(1), "Rank": .integer(id)], into: "Notes")
            }
        }
        let ann = try await served.device("a")
        try await ann.update(.integer(1), ["Rank": .integer(9)], in: "Notes")
        try served.write { try $0.update(2, ["Rank": .integer(9)], in: "Notes") }
        #expect(try await ann.sync().quarantined == 1)
        try served.write { try $0.update(1, Self.theirs, in: "Notes") }
        try await ann.sync()
        try served.write { try $0.update(2, ["Rank": .integer(5)], in: "Notes") }
        try ann.store.retry(quarantined: try #require(ann.store.quarantined().first).id)
        try await ann.sync()
        #expect(try ann.store.quarantined() == [])
        #expect(try served.rows("Notes", "Id", "OwnerId", "Rank") == ["1|2|1", "2|1|5"])
        let lost = try #require(try ann.store.conflicts().first)
        #expect(lost.kind == .deletedThere && !lost.mineWon)
        #expect(lost.properties.map(\.mine) == [.integer(9)])
        #expect(try await ann.verify().differences == [])
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `a change that waited for its set ends in its row, though it is sent before the set has come`(
        kind: ServedDomain.Kind
    ) async throws {
        let (served, ann) = try await served(kind)
        try await ann.update(.integer(1), ["Text": .string("mine")], in: "Events")
        served.setUser(UserContext(id: .integer(1), name: "ann", roles: []), of: "a")
        try await ann.syncUntilDone()
        #expect(try ann.store.quarantined().map(\.code) == ["NotFound"])
        served.setUser(ServedDomain.ann, of: "a")
        try ann.store.retry(quarantined: try #require(ann.store.quarantined().first).id)
        try await ann.sync()
        #expect(try served.rows("Events", "Id", "Text") == ["1|mine"])
        #expect(try await ann.verify().differences == [])
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `a row that was deleted is told from one that is out of sight`(kind: ServedDomain.Kind) async throws {
        let (served, ann) = try await served(kind)
        try await ann.update(.integer(1), ["Text": .string("mine")], in: "Events")
        try served.write { try $0.delete(1, in: "Events") }
        let report = try await ann.sync()
        #expect(report.sent == 1 && report.quarantined == 0)
        #expect(try served.rows("Events", "Text") == ["mine"])
        #expect(try ann.store.conflicts().map(\.kind) == [.deletedThere])
        #expect(try await ann.verify().differences == [])
    }

    @Test func `a row below one that another deletes and this device brings back waits for that`() async throws {
        let world = try World()
        let device = try await world.device("a")
        try await device.update(.integer(2), ["Name": .string("mine")], in: "Parents")
        try await device.insert(["ParentId": .integer(2), "Label": .string("new")], into: "Children")
        try world.execute("DELETE FROM Parents WHERE Id = 2")
        let report = try await device.sync()
        #expect(report.sent == 2 && report.quarantined == 0)
        let rows = try world.rows(
            "SELECT p.Name, c.Label FROM Children AS c JOIN Parents AS p ON p.Id = c.ParentId WHERE c.Label = 'new'"
        )
        #expect(rows == ["mine|new"])
        #expect(try await device.verify().differences == [])
    }
}

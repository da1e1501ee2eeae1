// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// A row that a device deletes and inserts again under its key, while another one changes it.
///
/// Found by the simulator: seeds 3, 9, 12 and 21; 14189, 17084 and 18754.
struct ReplacedRowTests {
    private func replace(_ device: Device, name: String, rank: Int64 = 1) async throws {
        try await device.store.write { transaction in
            try transaction.delete(Key([.string("P1")]), in: "Products")
            let row: [String: Value] = ["Code": .string("P1"), "Rank": .integer(rank), "Name": .string(name)]
            _ = try transaction.insert(row, into: "Products")
        }
    }

    @Test func `the new row counts, and what the other one wrote is in the log`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try await replace(a, name: "mine")
        try world.execute("UPDATE Products SET Name = 'theirs' WHERE Code = 'P1'")
        #expect(try await a.sync().conflicts == 1)
        #expect(try world.rows("SELECT Name FROM Products WHERE Code = 'P1'") == ["mine"])
        let lost = try #require(try a.store.conflicts().first?.properties)
        #expect(lost.map(\.name) == ["Name"])
        #expect(lost.map(\.base) == [.string("Lamp")] && lost.map(\.theirs) == [.string("theirs")])
        #expect(lost.map(\.mine) == [.string("mine")] && lost.map(\.mineWon) == [true])
        #expect(try await a.verify().differences == [])
    }

    @Test func `where nobody else wrote there is nothing to log`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try await replace(a, name: "mine")
        #expect(try await a.sync().conflicts == 0)
        try await replace(a, name: "mine again")
        try await a.update(.string("P1"), ["Name": .string("and again")], in: "Products")
        #expect(try await a.sync().conflicts == 0)
        #expect(try world.rows("SELECT Name FROM Products WHERE Code = 'P1'") == ["and again"])
        #expect(try a.store.conflicts().isEmpty)
    }

    @Test(arguments: ["theirs", nil] as [String?])
    func `what the service changed while the new row lay in the quarantine is in the log when it is sent again`(
        theirs: String?
    ) async throws {
        let world = try World()
        let a = try await world.device("a")
        try world.execute("INSERT INTO Products VALUES ('P4', 4, 'There')")
        try await replace(a, name: "mine", rank: 4)
        #expect(try await a.sync().quarantined == 1)
        if let theirs { try world.execute("UPDATE Products SET Name = '\(theirs)' WHERE Code = 'P1'") }
        try world.execute("DELETE FROM Products WHERE Code = 'P4'")
        try await a.sync()
        try a.store.retry(quarantined: try #require(try a.store.quarantined().first).id)
        #expect(try await a.sync().quarantined == 0)
        #expect(try world.rows("SELECT Name, Rank FROM Products WHERE Code = 'P1'") == ["mine|4"])
        // The rank is new here alone.
        let lost = try a.store.conflicts().flatMap(\.properties)
        #expect(lost.map(\.name) == (theirs == nil ? [] : ["Name"]))
        #expect(lost.map(\.theirs.text) == (theirs == nil ? [] : [theirs]))
        #expect(try await a.verify().differences == [])
    }
}

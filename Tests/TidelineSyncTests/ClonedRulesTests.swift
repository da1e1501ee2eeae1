// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineTestSupport

/// A device that clones a domain keeps the domain's rules before anything is sent.
struct ClonedRulesTests {
    private static let rule = EntityRule(
        name: "Amount",
        condition: .binary(
            .or,
            .binary(.lessThan, .path(["Amount"]), .literal(.integer(100))),
            .binary(.notEqual, .path(["Note"]), .literal(.null))
        ),
        message: "A large amount has a note.",
        properties: ["Amount", "Note"]
    )

    private func world() throws -> World {
        try World { sets in
            for place in sets.indices where sets[place].names.wire == "Parents" {
                sets[place].type.rules = [Self.rule]
                sets[place].type.properties[1].pattern = "^[a-z]"
            }
        }
    }

    @Test(.covers("DA-69"))
    func `the device refuses what the server refuses, by the same rule and message, and sends nothing`() async throws {
        let world = try world()
        let device = try await world.device("a")
        #expect(device.store.model[set: "Parents"]?.type.rules == [Self.rule])
        let key = Key([.integer(1)])
        let failures = try await device.store.validate {
            try $0.update(key, ["Amount": .integer(500), "Name": .string("Upper")], in: "Parents")
        }
        #expect(failures.map(\.rule.identifier) == ["pattern", "constraint.Amount"])
        #expect(failures.last?.message == Self.rule.message && failures.last?.properties == Self.rule.properties)
        await #expect(throws: LocalStoreError.self) {
            try await device.update(.integer(1), ["Amount": .integer(500)], in: "Parents")
        }
        #expect(try device.store.status().pendingTransactions == 0)
        try await device.update(.integer(1), ["Amount": .integer(500), "Note": .string("why")], in: "Parents")
        try await device.sync()
        #expect(try device.store.quarantined().isEmpty)
        #expect(try world.rows("SELECT Amount, Note FROM Parents WHERE Id = 1") == ["500|why"])
    }

    @Test func `rows of the server that break a rule arrive all the same`() async throws {
        let world = try world()
        let device = try await world.device("a")
        try world.execute("UPDATE Parents SET Amount = 900, Note = NULL, Name = 'Upper' WHERE Id = 2")
        try await device.sync()
        let row = try await device.store.read { try $0.entity(Key([.integer(2)]), in: "Parents") }
        #expect(row?["Amount"] == .integer(900) && row?["Name"] == .string("Upper"))
    }
}

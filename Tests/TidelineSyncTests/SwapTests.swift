// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineOData
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// A device gives rows each other's unique values in one transaction, as when two bookmarks change places.
struct SwapTests {
    /// - Parameter check: what the database asks of a place.
    private static func tables(_ check: String = "") -> String {
        #"CREATE TABLE "Users" ("UserId" int NOT NULL PRIMARY KEY, "Name" varchar(20));"#
            + #"CREATE TABLE "Marks" ("Id" int NOT NULL PRIMARY KEY, "#
            + #""UserId" int NOT NULL REFERENCES "Users" ("UserId"), "Name" varchar(20), "#
            + "\"Ordinal\" int NOT NULL\(check), UNIQUE (\"UserId\", \"Ordinal\"));"
    }

    /// Two users, the first of whom has so many bookmarks.
    private static func rows(_ count: Int) -> String {
        let users = #"INSERT INTO "Users" VALUES (1, 'ada'), (2, 'grace');"#
        let marks = (0..<count).map { "INSERT INTO \"Marks\" VALUES (\($0 + 1), 1, 'm\($0 + 1)', \($0));" }.joined()
        return users + marks + #"INSERT INTO "Marks" VALUES (9, 2, 'm9', 0);"#
    }

    private static let check = #" CHECK ("Ordinal" BETWEEN 0 AND 5)"#

    /// As the rule of Six Bookmarks: places are 0 to 5 when the transaction ends.
    private func ruled(_ domain: ChangingDomain, _ tables: String) throws {
        let condition = try ExpressionParser.parse("Ordinal ge 0 and Ordinal le 5")
        try domain.serve(tables) { sets in
            for place in sets.indices where sets[place].names.wire == "Marks" {
                sets[place].type.rules = [
                    EntityRule(name: "Place", condition: condition, message: "Six at most.", properties: ["Ordinal"])
                ]
            }
        }
    }

    /// Moves bookmarks in one transaction: no place is free between two of its writes.
    private func move(_ device: Device, _ places: [(id: Int64, ordinal: Int64)]) async throws {
        _ = try await device.store.write { tx in
            for (id, ordinal) in places {
                _ = try tx.update(Key([.integer(id)]), ["Ordinal": .integer(ordinal)], in: "Marks")
            }
        }
    }

    @Test(
        .covers("SB-F144"),
        arguments: ChangingDomain.Kind.allCases,
        [
            [(1, 1), (2, 0)], [(1, 5), (6, 0)], [(1, 1), (2, 2), (3, 0)],
            [(6, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)],
        ]
    )
    func `bookmarks change places in a ring though all six are taken`(
        kind: ChangingDomain.Kind,
        places: [(Int64, Int64)]
    ) async throws {
        let domain = try ChangingDomain(kind, Self.tables() + Self.rows(6))
        try ruled(domain, Self.tables())
        let (phone, laptop) = (try await domain.device("phone"), try await domain.device("laptop"))
        try await move(phone, places)
        // A name that is written beside it arrives with it.
        try await phone.update(.integer(1), ["Name": .string("new")], in: "Marks")
        try await phone.sync()
        #expect(try phone.store.quarantined().isEmpty)
        #expect(try phone.store.conflicts().isEmpty)
        let moved = Dictionary(uniqueKeysWithValues: places)
        let expected = (Int64(1)...6).map { "\($0)|\($0 == 1 ? "new" : "m\($0)")|\(moved[$0] ?? $0 - 1)" } + ["9|m9|0"]
        #expect(try domain.rows("Marks", "Id", "Name", "Ordinal") == expected)
        try await laptop.sync()
        for device in [phone, laptop] { #expect(try await device.verify().isEqual) }
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `where the database itself asks for a place from 0 to 5, a free one serves in between`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.tables(Self.check) + Self.rows(5))
        let phone = try await domain.device("phone")
        try await move(phone, [(1, 1), (2, 0)])
        try await phone.sync()
        #expect(try phone.store.quarantined().map(\.message) == [])
        #expect(
            try domain.rows("Marks", "Id", "Ordinal") == ["1|1", "2|0", "3|2", "4|3", "5|4", "9|0"]
        )
        #expect(try await phone.verify().isEqual)
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `where the database leaves no value to step aside to, the swap is kept and its reason told`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.tables(Self.check) + Self.rows(6))
        let phone = try await domain.device("phone")
        try await move(phone, [(1, 1), (2, 0)])
        try await phone.update(.integer(3), ["Name": .string("goes on")], in: "Marks")
        try await phone.sync()
        let refused = try phone.store.quarantined()
        #expect(refused.map(\.code) == ["DuplicateValue"])
        #expect(refused.first?.message.contains("Ordinal") == true)
        #expect(try domain.rows("Marks", "Id", "Name", "Ordinal")[2] == "3|goes on|2")
        // A place becomes free: what waited is sent again, and done.
        try domain.run(#"DELETE FROM "Marks" WHERE "Id" = 6"#)
        try phone.store.retry(quarantined: try #require(refused.first).id)
        try await phone.syncUntilDone()
        #expect(try phone.store.quarantined().isEmpty)
        #expect(try domain.rows("Marks", "Id", "Ordinal")[..<2] == ["1|1", "2|0"])
        #expect(try await phone.verify().isEqual)
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a swap that meets another device's swap of the same rows loses nothing`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.tables() + Self.rows(6))
        let (phone, laptop) = (try await domain.device("phone"), try await domain.device("laptop"))
        try await move(phone, [(1, 1), (2, 0)])
        try await move(laptop, [(2, 2), (3, 1)])
        for device in [phone, laptop, phone, laptop] { try await device.syncUntilDone() }
        // The first one counts; of the other what met it is in the log, and what has no place is kept with its reason.
        #expect(try domain.rows("Marks", "Id", "Ordinal") == ["1|1", "2|0", "3|2", "4|3", "5|4", "6|5", "9|0"])
        #expect(try laptop.store.conflicts().map(\.key) == [Key([.integer(2)])])
        #expect(try laptop.store.quarantined().map(\.code) == ["DuplicateValue"])
        for entry in try laptop.store.quarantined() { try laptop.store.discard(quarantined: entry.id) }
        try await laptop.syncUntilDone()
        #expect(try await laptop.verify().isEqual)
        #expect(try await phone.verify().isEqual)
    }
}

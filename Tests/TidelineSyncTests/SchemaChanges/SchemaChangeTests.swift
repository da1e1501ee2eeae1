// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineStore
import TidelineSync

/// The service gets another model while a device with the old one is away, with changes that wait.
struct SchemaChangeTests {
    private static func notes(_ columns: String) -> String {
        #"CREATE TABLE "Notes" ("Id" int NOT NULL PRIMARY KEY, "Text" varchar(80)\#(columns));"#
    }

    private static let events = #"CREATE TABLE "Events" ("Id" int NOT NULL PRIMARY KEY, "What" varchar(80));"#
    private static let first = notes(#", "Old" varchar(80)"#) + events
    private static let rows = """
        INSERT INTO "Notes" VALUES (1, 'one', 'o1'), (2, 'two', 'o2'), (3, 'three', 'o3');
        INSERT INTO "Events" VALUES (1, 'e1'), (2, 'e2');
        """

    private func text(_ device: Device, _ set: String, _ names: String...) throws -> [String] {
        try device.rows(set).map { row in names.map { row[$0]?.text ?? "-" }.joined(separator: "|") }
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a device that does not know a new column keeps in step and loses none of its values`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let old = try await domain.device("old")
        try await old.update(.integer(1), ["Text": .string("mine")], in: "Notes")
        try await old.insert(["Id": .integer(4), "Text": .string("four")], into: "Notes")
        try domain.run(#"ALTER TABLE "Notes" ADD COLUMN "More" varchar(80) DEFAULT 'd'"#)
        try domain.serve(Self.notes(#", "Old" varchar(80), "More" varchar(80) DEFAULT 'd'"#) + Self.events)
        let new = try await domain.device("new")
        try await new.update(.integer(1), ["More": .string("m1")], in: "Notes")
        try await new.update(.integer(2), ["More": .string("m2")], in: "Notes")
        try await new.sync()
        try await old.syncUntilDone()
        #expect(try old.store.quarantined().isEmpty)
        // The old device goes on: each of its writes leaves the new column as it is.
        try await old.update(.integer(2), ["Text": .string("zwei")], in: "Notes")
        try await old.syncUntilDone()
        try await new.syncUntilDone()
        #expect(try domain.rows("Notes", "Id", "Text", "More") == ["1|mine|m1", "2|zwei|m2", "3|three|d", "4|four|d"])
        #expect(try text(new, "Notes", "Id", "Text", "More") == ["1|mine|m1", "2|zwei|m2", "3|three|d", "4|four|d"])
        #expect(try text(old, "Notes", "Id", "Text", "Old") == ["1|mine|o1", "2|zwei|o2", "3|three|o3", "4|four|-"])
        #expect(try await new.verify().isEqual)
        #expect(try await old.verify().isEqual)
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a change of a column that is gone is kept in the conflict logs of both sides, and everything else goes on`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let old = try await domain.device("old")
        try await old.update(.integer(1), ["Old": .string("lost?")], in: "Notes")
        try await old.update(.integer(2), ["Text": .string("kept")], in: "Notes")
        try domain.serve(Self.notes("") + Self.events)
        try await old.syncUntilDone()
        #expect(try old.store.quarantined().isEmpty)
        let mine = try old.store.conflicts().flatMap(\.properties)
        #expect(mine.map(\.name) == ["Old"] && mine.map(\.mine) == [.string("lost?")])
        #expect(
            try domain.conflicts().filter { $0.kind == .refused && $0.key == "(1)" }.map(\.lost) == [
                #"{"Old":"lost?"}"#
            ]
        )
        #expect(try domain.rows("Notes", "Id", "Text") == ["1|one", "2|kept", "3|three"])
        let new = try await domain.device("new")
        try await new.update(.integer(3), ["Text": .string("drei")], in: "Notes")
        try await new.sync()
        try await old.syncUntilDone()
        #expect(try text(old, "Notes", "Id", "Text") == ["1|one", "2|kept", "3|drei"])
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `an insert that gives a column that is gone no value is done, with what refers to it; one that gives it waits`(
        kind: ChangingDomain.Kind
    ) async throws {
        let parts =
            #"CREATE TABLE "Parts" ("Id" int NOT NULL PRIMARY KEY, "Note" int NOT NULL REFERENCES "Notes" ("Id"));"#
        let domain = try ChangingDomain(kind, Self.first + parts + Self.rows)
        let old = try await domain.device("old")
        try await old.insert(["Id": .integer(4), "Text": .string("four")], into: "Notes")
        try await old.insert(["Id": .integer(5), "Text": .string("five"), "Old": .string("o5")], into: "Notes")
        try await old.insert(["Id": .integer(1), "Note": .integer(4)], into: "Parts")
        try await old.insert(["Id": .integer(2), "Note": .integer(5)], into: "Parts")
        try domain.serve(Self.notes("") + Self.events + parts)
        try await old.syncUntilDone()
        #expect(try domain.rows("Notes", "Id", "Text") == ["1|one", "2|two", "3|three", "4|four"])
        #expect(try domain.rows("Parts", "Id", "Note") == ["1|4"])
        let held = try old.store.quarantined()
        #expect(held.map { $0.changes.map(\.key) } == [[Key([.integer(5)])], [Key([.integer(2)])]])
        #expect(held.map(\.code) == ["UnknownProperty", "DependsOnQuarantined"])
        #expect(held.first?.message.contains("Old") == true)
        #expect(try text(old, "Notes", "Id", "Text", "Old").last == "5|five|o5")

        // Without the value it goes, and so does what refers to it.
        try await old.update(.integer(5), ["Old": .null], in: "Notes")
        try old.store.retry(quarantined: try #require(held.first).id)
        try await old.syncUntilDone()
        #expect(try old.store.quarantined().map(\.message) == [])
        #expect(try domain.rows("Notes", "Id", "Text").last == "5|five")
        #expect(try domain.rows("Parts", "Id", "Note") == ["1|4", "2|5"])
        #expect(try text(old, "Notes", "Id", "Text", "Old").last == "5|five|-")
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `under a new name a column is a new one to an old device, which writes over none of its values`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let old = try await domain.device("old")
        try await old.update(.integer(2), ["Text": .string("kept")], in: "Notes")
        try domain.run(#"ALTER TABLE "Notes" ADD COLUMN "Renamed" varchar(80)"#)
        try domain.run(#"UPDATE "Notes" SET "Renamed" = "Old""#)
        try domain.serve(Self.notes(#", "Renamed" varchar(80)"#) + Self.events)
        try await old.syncUntilDone()
        #expect(try old.store.quarantined().isEmpty)
        #expect(try domain.rows("Notes", "Id", "Text", "Renamed") == ["1|one|o1", "2|kept|o2", "3|three|o3"])
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `what a narrower column does not take waits in the quarantine, and what it takes goes on`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let old = try await domain.device("old")
        try await old.update(.integer(1), ["Text": .string("far too long")], in: "Notes")
        try await old.update(.integer(2), ["Text": .string("short")], in: "Notes")
        try domain.serve(Self.first.replacing(#""Text" varchar(80)"#, with: #""Text" varchar(5)"#))
        try await old.syncUntilDone()
        let quarantined = try old.store.quarantined()
        try #require(quarantined.count == 1)
        #expect(quarantined[0].status == 400 && quarantined[0].message.contains("Text"))
        #expect(try domain.rows("Notes", "Id", "Text") == ["1|one", "2|short", "3|three"])
        #expect(try text(old, "Notes", "Id", "Text")[1...] == ["2|short", "3|three"])
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `the rows of a set that is gone go, what waits for it is kept in the quarantine`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let old = try await domain.device("old")
        try await old.update(.integer(1), ["What": .string("waits")], in: "Events")
        try await old.update(.integer(2), ["Text": .string("kept")], in: "Notes")

        try domain.serve(Self.notes(#", "Old" varchar(80)"#))
        try await old.syncUntilDone()
        #expect(try old.store.quarantined().map { $0.changes.map(\.set) } == [["Events"]])
        #expect(try old.keys("Events") == [1])
        #expect(try domain.rows("Notes", "Id", "Text") == ["1|one", "2|kept", "3|three"])
    }
}

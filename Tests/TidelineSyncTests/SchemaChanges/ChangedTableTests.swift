// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineStore
import TidelineSync

/// The tables of a published database change, and the domain is published again.
struct ChangedTableTests {
    private static let events = #"CREATE TABLE "Events" ("Id" int NOT NULL PRIMARY KEY, "What" varchar(80));"#
    private static let notes = #"CREATE TABLE "Notes" ("Id" int NOT NULL PRIMARY KEY, "Text" varchar(80));"#
    private static let first =
        #"CREATE TABLE "Notes" ("Id" int NOT NULL PRIMARY KEY, "Old" varchar(80), "Text" varchar(80));"# + events
    private static let rows = """
        INSERT INTO "Notes" VALUES (1, 'o1', 'one'), (2, 'o2', 'two'); INSERT INTO "Events" VALUES (1, 'e1');
        """

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a push whose answer is lost is done once, though the domain is published again before it is repeated`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let device = try await domain.device("a")
        try await device.insert(["Id": .integer(3), "Text": .string("three")], into: "Notes")
        device.transport.begin(fault: .dropAfter, at: 0) { if $0 == 1 { try domain.publishAgain() } }
        #expect(try await device.sync().sent == 1)
        #expect(try device.store.quarantined().isEmpty)
        #expect(try domain.rows("Notes", "Id", "Text") == ["1|one", "2|two", "3|three"])
        #expect(try await device.verify().isEqual)
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `what is published again as it was is not loaded anew, and a new table comes beside it`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let device = try await domain.device("a")
        try domain.run(#"CREATE TABLE "More" ("Id" int NOT NULL PRIMARY KEY); INSERT INTO "More" VALUES (1)"#)
        try domain.publishAgain()
        try domain.run(#"UPDATE "Notes" SET "Text" = 'eins' WHERE "Id" = 1; INSERT INTO "More" VALUES (2)"#)
        device.transport.begin()
        #expect(try await device.sync() == SyncReport(received: 1))
        // The changes alone, in one exchange.
        #expect(device.transport.exchanges == 1)
        let other = try await domain.device("b")
        try domain.run(#"DELETE FROM "More" WHERE "Id" = 1"#)
        #expect(try await other.sync() == SyncReport(removed: 1))
        #expect(try other.keys("More") == [2])
        #expect(try await device.verify().isEqual)
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a column that is published no more can be dropped, and nothing is loaded anew but its set`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let device = try await domain.device("a")
        try await device.update(.integer(2), ["Text": .string("mine")], in: "Notes")
        try domain.run(#"UPDATE "Notes" SET "Text" = 'before' WHERE "Id" = 1"#)
        try domain.serve(Self.notes + Self.events)
        try domain.run(#"ALTER TABLE "Notes" DROP COLUMN "Old""#)
        try domain.run(#"UPDATE "Notes" SET "Text" = 'after' WHERE "Id" = 1; DELETE FROM "Events" WHERE "Id" = 1"#)
        #expect(try await device.sync().removed == 1)
        #expect(try domain.rows("Notes", "Id", "Text") == ["1|after", "2|mine"])
        #expect(try device.rows("Notes").map { $0["Text"] } == [.string("after"), .string("mine")])
        #expect(try device.store.quarantined().isEmpty)
        try domain.publishAgain()
        device.transport.begin()
        try domain.run(#"UPDATE "Notes" SET "Text" = 'again' WHERE "Id" = 1"#)
        #expect(try await device.sync() == SyncReport(received: 1))
        #expect(device.transport.exchanges == 1)
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a set whose table is not captured is told when the domain is opened, before a device asks for it`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let more = #"CREATE TABLE "More" ("Id" int NOT NULL PRIMARY KEY);"#
        try domain.run(more)
        let error = #expect(throws: StorageError.self) { try domain.serve(Self.first + more) }
        #expect(error?.code == .unsupported)
        #expect(error?.set == "More")
        #expect(
            error?.message
                == "Changes of the table More are not captured, so that no device could follow the set More. "
                + "Publish the database again, or take the set out of the domain's file."
        )
        // Publishing again captures it.
        try domain.publishAgain()
        let device = try await domain.device("a")
        try domain.run(#"INSERT INTO "More" VALUES (1)"#)
        #expect(try await device.sync() == SyncReport(received: 1))
    }
}

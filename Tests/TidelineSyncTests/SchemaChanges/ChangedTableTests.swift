// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
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
    func `a comparison tells which properties only the service has and which only the store, of what is subscribed`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let device = try await domain.device("a")
        #expect(try await device.verify().properties.isEmpty)
        try domain.serve(Self.notes + Self.events)
        try domain.run(#"ALTER TABLE "Notes" DROP COLUMN "Old""#)
        try domain.run(#"ALTER TABLE "Notes" ADD COLUMN "Fresh" varchar(80)"#)
        try domain.run(#"ALTER TABLE "Events" ADD COLUMN "When" varchar(80)"#)
        try domain.publishAgain()
        try await device.sync()
        #expect(
            try await device.verify().properties == [
                PropertyDifference(set: "Events", onlyThere: ["When"]),
                PropertyDifference(set: "Notes", onlyThere: ["Fresh"], onlyHere: ["Old"]),
            ]
        )
        #expect(try await domain.device("b").verify().properties.isEmpty)
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

    /// A device, and the domain in which Notes was made anew meanwhile; a row of Events came after that.
    private func remade(
        _ kind: ChangingDomain.Kind,
        _ columns: String,
        _ rows: String
    ) async throws -> (domain: ChangingDomain, device: Device) {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let device = try await domain.device("a")
        try domain.run(
            "DROP TABLE \"Notes\"; CREATE TABLE \"Notes\" (\(columns)); INSERT INTO \"Notes\" VALUES \(rows)"
        )
        try domain.publishAgain()
        try domain.run(#"INSERT INTO "Events" VALUES (2, 'e2')"#)
        return (domain, device)
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a table that has another key now is not loaded under the old one, and holds no other set up`(
        kind: ChangingDomain.Kind
    ) async throws {
        let (domain, device) = try await remade(
            kind,
            #""Id" int NOT NULL, "Old" varchar(80), "Text" varchar(80) NOT NULL, PRIMARY KEY ("Id", "Text")"#,
            "(1, 'o', 'a'), (1, 'o', 'b')"
        )
        for _ in 1...2 {
            let error = try #require(await #expect(throws: SyncError.self) { try await device.sync() })
            #expect(error.code == .setChanged)
            #expect(error.message == "The key of Notes is (Id) here and (Id, Text) at the service.")
            #expect(error.advice.hasPrefix("Clone again: "))
        }
        #expect(try device.rows("Notes").map { $0["Text"] } == [.string("one"), .string("two")])
        #expect(try device.keys("Events") == [1, 2])
        // However often the other set has to be loaded anew: the one that cannot be does not stand in its way.
        for key in 3...12 {
            try device.store.forgetDeltaLinks(of: ["Events"])
            try domain.run("INSERT INTO \"Events\" VALUES (\(key), 'e')")
            await #expect(throws: SyncError.self) { try await device.sync() }
            #expect(try device.keys("Events").count == key)
        }
        // A new device has all.
        #expect(try await domain.device("b").verify().isEqual)
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a column that has another type now is named with both types, and holds no other set up`(
        kind: ChangingDomain.Kind
    ) async throws {
        let (domain, device) = try await remade(
            kind,
            #""Id" int NOT NULL PRIMARY KEY, "Old" varchar(80), "Text" int"#,
            "(1, 'o', 7)"
        )
        let error = try #require(await #expect(throws: SyncError.self) { try await device.sync() })
        #expect(error.code == .setChanged)
        #expect(error.message == "Notes.Text is Edm.String here and Edm.Int32 at the service.")
        #expect(error.advice.hasPrefix("Clone again: "))
        #expect(try device.keys("Notes") == [1, 2])
        #expect(try device.keys("Events") == [1, 2])
        // A new device has all.
        #expect(try await domain.device("b").verify().isEqual)
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a device that has something to send to it is told the same, and what it has waits`(
        kind: ChangingDomain.Kind
    ) async throws {
        let (domain, device) = try await remade(
            kind,
            #""Id" int NOT NULL PRIMARY KEY, "Old" varchar(80), "Text" int"#,
            "(1, 'o', 7), (2, 'o2', NULL)"
        )
        try await device.update(.integer(1), ["Old": .string("mine")], in: "Notes")
        try await device.delete(.integer(2), in: "Notes")
        for _ in 1...2 {
            let error = try #require(await #expect(throws: SyncError.self) { try await device.sync() })
            #expect(error.code == .setChanged)
            #expect(error.message == "Notes.Text is Edm.String here and Edm.Int32 at the service.")
            #expect(error.advice.hasPrefix("Clone again: "))
        }
        #expect(try device.store.status().pendingTransactions == 2)
        #expect(try device.store.quarantined().isEmpty && device.store.conflicts().isEmpty)
        #expect(try domain.rows("Notes", "Id", "Old", "Text") == ["1|o|7", "2|o2|-"])
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a filter that the service refuses by now holds up its own set alone, until there is another`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let device = try await domain.device("a")
        let events = try device.store.subscriptions().filter { $0.set == "Events" }
        try device.store.setSubscriptions(events + [Subscription(set: "Notes", filter: "Old eq 'o1'")])
        _ = try await device.sync()
        #expect(try device.keys("Notes") == [1])
        try domain.serve(Self.notes + Self.events)
        try domain.run(#"ALTER TABLE "Notes" DROP COLUMN "Old"; INSERT INTO "Events" VALUES (2, 'e2')"#)
        try domain.publishAgain()
        for count in 2...3 {
            let error = try #require(await #expect(throws: ClientError.self) { try await device.sync() })
            #expect(error.code == .refused)
            #expect(error.status == 400)
            #expect(error.message.hasPrefix("Notes: "))
            #expect(error.message.contains("Old"))
            #expect(try device.keys("Notes") == [1])
            #expect(try device.keys("Events").count == count)
            // The comparison goes on without it, too.
            let compared = try await device.verify()
            #expect(compared.failures.map(\.set) == ["Notes"] && compared.failures.first?.error.status == 400)
            #expect(compared.compared.map(\.set) == ["Events"] && compared.differences == [] && !compared.isEqual)
            try domain.run("INSERT INTO \"Events\" VALUES (\(count + 1), 'more')")
        }
        // So it is where the set is loaded anew, and not asked for its changes.
        try device.store.setSubscriptions(events + [Subscription(set: "Notes", filter: "Old eq 'o2'")])
        let refused = try #require(await #expect(throws: ClientError.self) { try await device.sync() })
        #expect(refused.status == 400)
        #expect(try device.keys("Events") == [1, 2, 3, 4])
        try device.store.setSubscriptions(events + [Subscription(set: "Notes", filter: "Text ne 'one'")])
        _ = try await device.sync()
        #expect(try device.keys("Notes") == [2])
        #expect(try device.keys("Events") == [1, 2, 3, 4])
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `what waits for a set that is taken out for a while is kept as it is, and sent again when it is back`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let device = try await domain.device("a")
        try await device.update(.integer(1), ["Text": .string("mine")], in: "Notes")
        try await device.delete(.integer(2), in: "Notes")
        try domain.serve(Self.events)
        _ = try? await device.sync()
        let kept = try device.store.quarantined()
        #expect(kept.map(\.status) == [404, 404])
        #expect(kept.flatMap(\.changes).map(\.operation) == [.update, .delete])
        try domain.serve(Self.first)
        // With the next sync the rows are known again.
        _ = try await device.sync()
        #expect(try device.store.quarantined().map(\.id) == kept.map(\.id))
        for entry in kept { try device.store.retry(quarantined: entry.id) }
        try await device.syncUntilDone()
        #expect(try device.store.quarantined().isEmpty)
        #expect(try domain.rows("Notes", "Id", "Text") == ["1|mine"])
        #expect(try await device.verify().isEqual)
    }

    @Test func `rows with labels in their keys are changed and deleted like others`() async throws {
        let domain = try ChangingDomain(
            .postgres,
            "CREATE TYPE mood AS ENUM ('sad', 'ok', 'glad'); CREATE TABLE \"Days\" (\"Mood\" mood PRIMARY KEY, \"Text\" text);"
                + "CREATE TABLE \"Notes\" (\"Id\" int PRIMARY KEY, \"Mood\" mood REFERENCES \"Days\");"
                + "INSERT INTO \"Days\" VALUES ('ok', 'a'), ('glad', 'b'); INSERT INTO \"Notes\" VALUES (1, 'ok');"
        )
        let device = try await domain.device("a")
        try await device.update(.string("ok"), ["Text": .string("mine")], in: "Days")
        try await device.delete(.string("glad"), in: "Days")
        try await device.insert(["Mood": .string("sad"), "Text": .string("new")], into: "Days")
        try await device.insert(["Id": .integer(2), "Mood": .string("sad")], into: "Notes")
        #expect(try await device.sync().sent == 4)
        #expect(try device.store.quarantined().isEmpty)
        #expect(try domain.rows("Days", "Mood", "Text") == ["ok|mine", "sad|new"])
        #expect(try await device.verify().isEqual)
    }

    @Test(arguments: ChangingDomain.Kind.allCases, [false, true])
    func `a change of a column that has another name is given up, and the row is as the service has it`(
        kind: ChangingDomain.Kind,
        isSentAgain: Bool
    ) async throws {
        let domain = try ChangingDomain(kind, Self.first + Self.rows)
        let device = try await domain.device("a")
        try await device.update(.integer(1), ["Old": .string("mine")], in: "Notes")
        try domain.run(#"ALTER TABLE "Notes" RENAME COLUMN "Old" TO "Other""#)
        try domain.publishAgain()
        #expect(try await device.sync().quarantined == 1)
        if isSentAgain {
            try device.store.retry(quarantined: try #require(device.store.quarantined().first).id)
            #expect(try await device.sync().quarantined == 1)
        }
        let entry = try #require(try device.store.quarantined().first)
        #expect(entry.code == "UnknownProperty")
        #expect(try device.rows("Notes").map { $0["Old"] } == [.string("mine"), .null])
        #expect(try device.store.discard(quarantined: entry.id) == [entry.id])
        #expect(try device.rows("Notes").map { $0["Old"] } == [.null, .null])
        #expect(try await device.verify().isEqual)
    }
}

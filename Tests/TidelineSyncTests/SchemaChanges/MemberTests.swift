// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// A property gets values that devices of an older version of the model know nothing of.
struct MemberTests {
    private static func tables(_ kinds: String) -> String {
        #"CREATE TABLE "Tasks" ("Id" int NOT NULL PRIMARY KEY, "What" varchar(80), "State" int NOT NULL DEFAULT 0, "#
            + "\"Kind\" varchar(20) NOT NULL DEFAULT 'a task' CHECK (\"Kind\" IN (\(kinds))));"
    }

    private static let older = tables("'a task', 'a note'")
    private static let newer = tables("'a task', 'a note', 'an idea'")
    private static let rows = """
        INSERT INTO "Tasks" VALUES (1, 'one', 0, 'a task'), (2, 'two', 1, 'a note'), (3, 'three', 0, 'a task');
        """

    private func serve(_ domain: ChangingDomain, _ tables: String, _ members: String...) throws {
        let type = EnumerationType(
            names: Names(wire: "State"),
            members: members.enumerated().map { EnumerationType.Member($1, Int64($0)) }
        )
        try domain.serve(
            tables,
            shaping: { sets in
                for set in sets.indices {
                    guard let place = sets[set].type.propertyIndex(wire: "State") else { continue }
                    sets[set].type.properties[place].enumeration = "State"
                    sets[set].type.properties[place].type = .int32
                }
            },
            enumerations: [type]
        )
    }

    private func text(_ device: Device) throws -> [String] {
        try device.rows("Tasks").map { row in
            ["Id", "What", "State", "Kind"].map { row[$0]?.text ?? "-" }.joined(separator: "|")
        }
    }

    @Test func `what is no member is refused by the device, and a member is sent`() async throws {
        let domain = try ChangingDomain(.sqlite, Self.newer + Self.rows)
        try serve(domain, Self.older, "open", "done")
        let device = try await domain.device("a")
        for text in ["opened", "OPEN", "", "0", "open,done"] {
            let refused = await #expect(throws: LocalStoreError.self) {
                try await device.update(.integer(1), ["State": .string(text)], in: "Tasks")
            }
            #expect(refused?.code == .invalidValue && refused?.properties == ["State"])
            #expect(refused?.message.contains("open, done") == true)
        }
        try await device.update(.integer(1), ["State": .string("done")], in: "Tasks")
        #expect(try await device.sync().sent == 1)
        #expect(try text(device).first == "1|one|done|a task")
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `an old device holds a member that it does not know, edits its row and stays in step`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.newer + Self.rows)
        try serve(domain, Self.older, "open", "done")
        let old = try await domain.device("old")
        #expect(try text(old) == ["1|one|open|a task", "2|two|done|a note", "3|three|open|a task"])
        try await old.update(.integer(1), ["What": .string("mine")], in: "Tasks")

        try serve(domain, Self.newer, "open", "done", "paused")
        let new = try await domain.device("new")
        try await new.update(.integer(1), ["State": .string("paused"), "Kind": .string("an idea")], in: "Tasks")
        try await new.insert(
            ["Id": .integer(4), "State": .string("paused"), "Kind": .string("an idea")],
            into: "Tasks"
        )
        #expect(try await new.sync().sent == 2)
        try await old.syncUntilDone()
        let merged = ["1|mine|paused|an idea", "2|two|done|a note", "3|three|open|a task", "4|-|paused|an idea"]
        #expect(try text(old) == merged)
        // It goes on: other properties of such a row, and the values that it knows.
        try await old.update(.integer(4), ["What": .string("four")], in: "Tasks")
        try await old.update(.integer(1), ["State": .string("done")], in: "Tasks")
        try await old.syncUntilDone()
        try await new.syncUntilDone()
        #expect(try old.store.quarantined().map(\.message) == [])
        #expect(try old.store.conflicts().isEmpty)
        let end = ["1|mine|done|an idea", "2|two|done|a note", "3|three|open|a task", "4|four|paused|an idea"]
        for device in [old, new] {
            #expect(try text(device) == end, "\(device.name)")
            #expect(try await device.verify().isEqual, "\(device.name)")
        }
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a value that only a newer model can tell comes to the devices that got null for it`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.newer + Self.rows)
        try serve(domain, Self.newer, "open", "done")
        let device = try await domain.device("a")
        // What nobody has is told to nobody.
        try serve(domain, Self.newer, "open", "done", "paused")
        device.transport.begin()
        #expect(try await device.sync() == SyncReport())
        #expect(device.transport.exchanges == 1)
        try domain.run(#"UPDATE "Tasks" SET "State" = 3 WHERE "Id" = 1"#)
        try await device.update(.integer(2), ["What": .string("mine")], in: "Tasks")
        _ = try await device.sync()
        try serve(domain, Self.newer, "open", "done", "paused", "dropped")
        _ = try await device.sync()
        #expect(try text(device) == ["1|one|dropped|a task", "2|mine|done|a note", "3|three|open|a task"])
        #expect(try await device.verify().isEqual)
        try serve(domain, Self.newer, "open", "done", "paused", "gone")
        _ = try await device.sync()
        #expect(try text(device).first == "1|one|gone|a task")
        #expect(try await device.verify().isEqual)
    }

    @Test func `labels that are added or renamed come to the devices when they are published`() async throws {
        let domain = try ChangingDomain(
            .postgres,
            """
            CREATE TYPE mood AS ENUM ('sad', 'glad'); CREATE TYPE way AS ENUM ('by land', 'by sea');
            CREATE TABLE "Days" ("Id" int PRIMARY KEY, "Mood" mood, "Way" way);
            INSERT INTO "Days" VALUES (1, 'sad', 'by land'), (2, 'glad', 'by sea');
            """
        )
        let device = try await domain.device("a")
        func days() throws -> [String] {
            try device.rows("Days").map { row in
                ["Id", "Mood", "Way"].map { row[$0]?.text ?? "-" }.joined(separator: "|")
            }
        }
        #expect(try days() == ["1|sad|by land", "2|glad|by sea"])
        // A label of which the model knows nothing is null until then.
        try domain.run("ALTER TYPE mood ADD VALUE 'calm'")
        try domain.run(#"INSERT INTO "Days" VALUES (3, 'calm', NULL)"#)
        #expect(
            try await device.sync().leftOut == ["Days.Mood: 1 value that is NaN or none of its type, so null"]
        )
        #expect(try days() == ["1|sad|by land", "2|glad|by sea", "3|-|-"])
        try domain.publishAgain()
        _ = try await device.sync()
        #expect(try days() == ["1|sad|by land", "2|glad|by sea", "3|calm|-"])
        try domain.run(
            "ALTER TYPE mood RENAME VALUE 'sad' TO 'blue'; ALTER TYPE way RENAME VALUE 'by sea' TO 'by ship'"
        )
        _ = try await device.sync()
        #expect(try days() == ["1|-|by land", "2|glad|by ship", "3|calm|-"])
        try domain.publishAgain()
        _ = try await device.sync()
        #expect(try days() == ["1|blue|by land", "2|glad|by ship", "3|calm|-"])
        #expect(try await device.verify().isEqual)
        // What is published as it was is not loaded anew.
        try domain.publishAgain()
        device.transport.begin()
        #expect(try await device.sync() == SyncReport())
        #expect(device.transport.exchanges == 1)
    }

    @Test(arguments: ChangingDomain.Kind.allCases)
    func `a member that the service has no more is refused by name, and everything else goes on`(
        kind: ChangingDomain.Kind
    ) async throws {
        let domain = try ChangingDomain(kind, Self.newer + Self.rows)
        try serve(domain, Self.newer, "open", "done", "paused")
        let new = try await domain.device("new")
        try await new.update(.integer(1), ["State": .string("paused")], in: "Tasks")
        try await new.update(.integer(2), ["Kind": .string("an idea")], in: "Tasks")
        try await new.update(.integer(3), ["What": .string("goes on")], in: "Tasks")
        try serve(domain, Self.older, "open", "done")
        try await new.syncUntilDone()
        let refused = try new.store.quarantined()
        #expect(refused.map(\.status) == [400, 400])
        #expect(refused.first?.message.contains("State") == true, "\(refused.map(\.message))")
        #expect(refused.last?.message.contains("Kind") == true, "\(refused.map(\.message))")
        #expect(try domain.rows("Tasks", "Id", "What", "State") == ["1|one|0", "2|two|1", "3|goes on|0"])
        // The service has it again.
        try serve(domain, Self.newer, "open", "done", "paused")
        for entry in refused { try new.store.retry(quarantined: entry.id) }
        try await new.syncUntilDone()
        #expect(try new.store.quarantined().isEmpty)
        #expect(
            try domain.rows("Tasks", "Id", "State", "Kind") == ["1|2|a task", "2|1|an idea", "3|0|a task"]
        )
        #expect(try await new.verify().isEqual)
    }
}

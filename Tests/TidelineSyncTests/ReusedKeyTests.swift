// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// A row of the service that has the key of one which another program deleted, and which a device changed meanwhile.
struct ReusedKeyTests {
    private static let schema = """
        CREATE TABLE Notes (Id INTEGER PRIMARY KEY, Title TEXT NOT NULL, Body TEXT);
        CREATE TABLE Lines (Code TEXT PRIMARY KEY, NoteId INTEGER REFERENCES Notes(Id) ON DELETE CASCADE, Text TEXT);
        CREATE TABLE Parts (
            NoteId INTEGER NOT NULL REFERENCES Notes(Id) ON DELETE CASCADE, Place INTEGER NOT NULL, Text TEXT,
            PRIMARY KEY (NoteId, Place));
        INSERT INTO Notes VALUES (1, 'one', 'first'), (2, 'two', 'second');
        INSERT INTO Lines VALUES ('old', 2, 'old'), ('other', 1, 'other');
        INSERT INTO Parts VALUES (2, 1, 'old'), (1, 1, 'other');
        """
    /// Key 2 is another note now, with a line and a part of its own.
    private static let reuse = """
        DELETE FROM Notes WHERE Id = 2; INSERT INTO Notes (Title, Body) VALUES ('new', 'another');
        INSERT INTO Lines VALUES ('new', 2, 'new'); INSERT INTO Parts VALUES (2, 1, 'new');
        """
    private static let notes = "SELECT Id, Title, Body FROM Notes ORDER BY Id"
    private let two = Key([.integer(2)])

    private func world(_ policy: ConflictPolicy? = nil) throws -> World {
        try World(schema: Self.schema) { sets in
            guard let place = sets.firstIndex(where: { $0.names.wire == "Notes" }) else { return }
            sets[place].type.conflictPolicy = policy
        }
    }

    /// What the device has under the key.
    private func note(_ device: Device, _ id: Int64 = 2) throws -> [String: Value]? {
        try device.store.read { try $0.entity(Key([.integer(id)]), in: "Notes") }
    }

    @Test(arguments: [nil, .lastEdit, .clientWins] as [ConflictPolicy?])
    func `what was changed offline does not go to the new row, and is inserted again`(
        policy: ConflictPolicy?
    ) async throws {
        let world = try world(policy)
        let a = try await world.device("a")
        try await a.update(.integer(2), ["Title": .string("mine")], in: "Notes")
        try world.execute(Self.reuse)
        try await a.syncUntilDone()
        #expect(try world.rows(Self.notes) == ["1|one|first", "2|new|another", "3|mine|second"])
        let conflict = try #require(try a.store.conflicts().first)
        #expect(conflict.kind == .deletedThere && conflict.key == Key([.integer(3)]))
        #expect(try await a.verify().differences == [])
        #expect(try world.rows("SELECT NoteId, Text FROM Lines ORDER BY Code") == ["2|new", "1|other"])
        #expect(try world.rows("SELECT NoteId, Text FROM Parts ORDER BY NoteId") == ["1|other", "2|new"])
    }

    @Test func `where the server wins the change is in the log, and the new row is as it is`() async throws {
        let world = try world(.serverWins)
        let a = try await world.device("a")
        try await a.update(.integer(2), ["Title": .string("mine")], in: "Notes")
        try world.execute(Self.reuse)
        try await a.syncUntilDone()
        #expect(try world.rows(Self.notes) == ["1|one|first", "2|new|another"])
        #expect(try a.store.conflicts().flatMap(\.properties).contains { $0.mine == .string("mine") && !$0.mineWon })
        #expect(try await a.verify().differences == [])
    }

    @Test func `a deletion of the old row does not delete the new one`() async throws {
        let world = try world()
        let a = try await world.device("a")
        try await a.delete(.integer(2), in: "Notes")
        try world.execute(Self.reuse)
        let report = try await a.syncUntilDone()
        #expect(report.conflicts == 0)
        #expect(try world.rows(Self.notes) == ["1|one|first", "2|new|another"])
        #expect(try a.store.conflicts() == [])
        #expect(try await a.verify().differences == [])
    }

    @Test func `what this device added to the old row follows it, what the new one has stays`() async throws {
        let world = try world()
        let a = try await world.device("a")
        try await a.store.write { transaction in
            try transaction.update(two, ["Title": .string("mine")], in: "Notes")
            let line: [String: Value] = ["Code": .string("mine"), "NoteId": .integer(2), "Text": .string("mine")]
            _ = try transaction.insert(line, into: "Lines")
            try transaction.update(
                Key([.string("other")]),
                ["NoteId": .integer(2)],
                in: "Lines"
            )
            let part: [String: Value] = ["NoteId": .integer(2), "Place": .integer(2), "Text": .string("mine")]
            _ = try transaction.insert(part, into: "Parts")
            try transaction.update(Key([.integer(2), .integer(1)]), ["Text": .string("changed")], in: "Parts")
        }
        try world.execute(Self.reuse)
        try await a.syncUntilDone()
        #expect(try world.rows(Self.notes) == ["1|one|first", "2|new|another", "3|mine|second"])
        #expect(
            try world.rows("SELECT Code, NoteId FROM Lines ORDER BY Code") == ["mine|3", "new|2", "other|3"]
        )
        #expect(
            try world.rows("SELECT NoteId, Place, Text FROM Parts ORDER BY NoteId, Place")
                == ["1|1|other", "2|1|new", "3|1|changed", "3|2|mine"]
        )
        #expect(try await a.verify().differences == [])
    }

    @Test func `what lies in the quarantine of a row that came again goes to that row`() async throws {
        let world = try world()
        let a = try await world.device("a")
        try world.execute(
            Self.reuse + """
                CREATE TRIGGER refuses BEFORE INSERT ON Notes WHEN NEW.Title = 'refused'
                BEGIN SELECT RAISE(ABORT, 'refused'); END
                """
        )
        try await a.syncUntilDone()
        let new = try await a.store.write { try $0.insert(["Title": .string("refused")], into: "Notes").values[0] }
        #expect(try await a.sync().quarantined == 1)
        try await a.update(.integer(2), ["Title": .string("mine")], in: "Notes")
        try await a.store.write { transaction in
            try transaction.update(Key([new]), ["Body": .string("x")], in: "Notes")
            try transaction.update(two, ["Body": .string("more")], in: "Notes")
        }
        try world.execute("DELETE FROM Notes WHERE Id = 2")
        try await a.syncUntilDone()
        try world.execute("DROP TRIGGER refuses")
        try a.store.retry(quarantined: try #require(try a.store.quarantined().first).id)
        try await a.syncUntilDone()
        #expect(
            try world.rows("SELECT Title, Body FROM Notes ORDER BY Title") == ["mine|more", "one|first", "refused|x"]
        )
        #expect(try await a.verify().differences == [])
    }

    @Test func `a person who is asked decides about the old row`() async throws {
        for choice in [ConflictChoice.keepMine, .keepTheirs] {
            let world = try world(.ask)
            let a = try await world.device("a")
            try await a.update(.integer(2), ["Title": .string("mine")], in: "Notes")
            try world.execute(Self.reuse)
            try await a.syncUntilDone()
            let conflict = try #require(try a.store.conflicts().first)
            #expect(conflict.kind == .deletedThere)
            #expect(try note(a)?["Title"] == .string("new"))
            try a.store.resolve(conflict: conflict.id, choice)
            try await a.syncUntilDone()
            let kept = choice == .keepMine ? ["3|mine|second"] : []
            #expect(try world.rows(Self.notes) == ["1|one|first", "2|new|another"] + kept)
            #expect(try await a.verify().differences == [])
        }
    }

    @Test func `a change that was refused before waits for the old row, and is sent as it is`() async throws {
        let world = try world()
        try world.execute(
            """
            CREATE TRIGGER refuses BEFORE UPDATE ON Notes WHEN NEW.Title = 'refused'
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """
        )
        let a = try await world.device("a")
        try await a.update(.integer(2), ["Title": .string("refused"), "Body": .string("mine")], in: "Notes")
        #expect(try await a.sync().quarantined == 1)
        let held = try #require(try a.store.quarantined().first)
        try world.execute(Self.reuse)
        try await a.syncUntilDone()
        #expect(try note(a)?["Body"] == .string("another"))
        #expect(try a.store.quarantined().map(\.id) == [held.id])
        try world.execute("DROP TRIGGER refuses")
        try a.store.retry(quarantined: held.id)
        try await a.syncUntilDone()
        #expect(try world.rows(Self.notes) == ["1|one|first", "2|new|another", "3|refused|mine"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `a deletion that was refused with its transaction is done when that is sent again, for its row is gone`()
        async throws
    {
        let world = try world()
        try world.execute(
            """
            CREATE TRIGGER refuses BEFORE INSERT ON Notes WHEN NEW.Title = 'refused'
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """
        )
        let a = try await world.device("a")
        try await a.store.write {
            try $0.insert(["Title": .string("refused")], into: "Notes")
            try $0.delete(two, in: "Notes")
        }
        #expect(try await a.sync().quarantined == 1)
        let held = try #require(try a.store.quarantined().first)
        try world.execute(Self.reuse)
        try await a.syncUntilDone()
        try world.execute("DROP TRIGGER refuses")
        try a.store.retry(quarantined: held.id)
        try await a.syncUntilDone()
        #expect(try a.store.quarantined().isEmpty)
        #expect(try world.rows(Self.notes) == ["1|one|first", "2|new|another", "3|refused|-"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `a row below it that was changed too, and fell with it, comes back below it`() async throws {
        for isOne in [true, false] {
            let world = try world()
            let a = try await world.device("a")
            if isOne {
                try await a.store.write { transaction in
                    try transaction.update(two, ["Title": .string("mine")], in: "Notes")
                    try transaction.update(Key([.string("old")]), ["Text": .string("mine")], in: "Lines")
                }
            } else {
                try await a.update(.integer(2), ["Title": .string("mine")], in: "Notes")
                try await a.update(.string("old"), ["Text": .string("mine")], in: "Lines")
            }
            try world.execute(Self.reuse)
            try await a.syncUntilDone()
            #expect(try world.rows(Self.notes) == ["1|one|first", "2|new|another", "3|mine|second"])
            #expect(
                try world.rows("SELECT Code, NoteId, Text FROM Lines ORDER BY Code")
                    == ["new|2|new", "old|3|mine", "other|1|other"]
            )
            #expect(try await a.verify().differences == [])
        }
    }

    @Test func `a row below one that is gone for good is not put below the new one`() async throws {
        let world = try world(.serverWins)
        let a = try await world.device("a")
        try await a.update(.integer(2), ["Title": .string("mine")], in: "Notes")
        try await a.update(.string("old"), ["Text": .string("mine")], in: "Lines")
        try world.execute(Self.reuse)
        try await a.syncUntilDone()
        #expect(try world.rows(Self.notes) == ["1|one|first", "2|new|another"])
        #expect(try world.rows("SELECT Code FROM Lines ORDER BY Code") == ["new", "other"])
        #expect(try a.store.quarantined().map(\.code) == ["MissingReference"])
    }

    @Test func `a device that loads everything anew keeps them apart too`() async throws {
        let world = try world()
        let a = try await world.device("a")
        try await a.update(.integer(2), ["Title": .string("mine")], in: "Notes")
        try world.execute(Self.reuse + "DROP TRIGGER tideline_update_Notes;")
        try await a.syncUntilDone()
        #expect(try world.rows(Self.notes) == ["1|one|first", "2|new|another", "3|mine|second"])
        #expect(try await a.verify().differences == [])
    }

    /// Found by the simulator: seed 128180.
    @Test func `a row that this device inserted a moment ago leaves its key to the new one too`() async throws {
        let world = try world()
        let a = try await world.device("a")
        try await a.insert(["Title": .string("mine"), "Body": .string("made")], into: "Notes")
        // While the device asks what there is, after its insert was answered.
        a.transport.begin { index in
            guard index == 1 else { return }
            try world.execute(
                "DELETE FROM Notes WHERE Id = 3; INSERT INTO Notes (Title, Body) VALUES ('new', 'another');"
            )
            try await a.update(.integer(3), ["Body": .string("changed")], in: "Notes")
        }
        #expect(try await a.syncUntilDone().quarantined == 0)
        #expect(try note(a, 3)?["Title"] == .string("new"))
        // What was changed meanwhile is sent next.
        #expect(try await a.syncUntilDone().quarantined == 0)
        let rows = try world.rows(Self.notes)
        #expect(rows == ["1|one|first", "2|two|second", "3|new|another", "4|mine|changed"])
        #expect(try a.store.conflicts().map(\.kind) == [.deletedThere])
        let differences = try await a.verify().differences
        #expect(differences == [])
    }

    // MARK: Below a row that this device did not change

    private static let lines = "SELECT Code, NoteId, Text FROM Lines ORDER BY Code"
    private static let mine: [String: Value] = [
        "Code": .string("mine"), "NoteId": .integer(2), "Text": .string("mine"),
    ]

    /// What a device does below the old note, and what of it is on the service where that is right.
    private static let below: [@Sendable (Device) async throws -> Void] = [
        { try await $0.insert(mine, into: "Lines") },
        { try await $0.update(.string("other"), ["NoteId": .integer(2)], in: "Lines") },
        // It fell with the old note, and is inserted again.
        { try await $0.update(.string("old"), ["Text": .string("mine")], in: "Lines") },
        // Another part has its key, which holds that of the note.
        { device in
            let part = Key([.integer(2), .integer(1)])
            _ = try await device.store.write { try $0.update(part, ["Text": .string("mine")], in: "Parts") }
        },
    ]
    private static let parts = "SELECT NoteId, Place, Text FROM Parts ORDER BY NoteId"

    @Test(arguments: below.indices)
    func `what a device does below the old row does not end below the new one`(_ number: Int) async throws {
        let world = try world()
        let a = try await world.device("a")
        try await Self.below[number](a)
        try world.execute(Self.reuse)
        try await a.syncUntilDone()
        #expect(try world.rows(Self.lines) == ["new|2|new", "other|1|other"])
        #expect(try world.rows(Self.parts) == ["1|1|other", "2|1|new"])
        let held = try a.store.quarantined()
        #expect(held.map(\.code) == ["MissingReference"])
        #expect(held.first?.message.contains("that was deleted, and whose key another one has") == true)
        try a.store.discard(quarantined: try #require(try a.store.quarantined().first).id)
        try await a.syncUntilDone()
        #expect(try await a.verify().differences == [])
    }

    @Test(arguments: below.indices)
    func `what it does while the new row is on its way is taken for what was known before`(_ number: Int) async throws {
        let world = try world()
        let a = try await world.device("a")
        try world.execute(Self.reuse)
        a.transport.begin { index in if index == 0 { try await Self.below[number](a) } }
        try await a.sync()
        #expect(try note(a)?["Title"] == .string("new"))
        a.transport.begin()
        try await a.syncUntilDone()
        // The part is told like any that both sides changed: the service's value wins.
        #expect(try a.store.quarantined().map(\.code) == (number == 3 ? [] : ["MissingReference"]))
        // What met another row, or none, is in the log.
        let lost = try a.store.conflicts().flatMap(\.properties).contains { $0.mine == .string("mine") }
        #expect(lost == (number >= 2))
        #expect(try world.rows(Self.lines) == ["new|2|new", "other|1|other"])
        #expect(try world.rows(Self.parts) == ["1|1|other", "2|1|new"])
    }

    @Test func `what it does below the new row once it knows that one is done`() async throws {
        let world = try world()
        let a = try await world.device("a")
        try world.execute(Self.reuse)
        try await a.sync()
        try await a.insert(Self.mine, into: "Lines")
        #expect(try await a.syncUntilDone().quarantined == 0)
        #expect(try world.rows(Self.lines) == ["mine|2|mine", "new|2|new", "other|1|other"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `a program that names a key which was given again means the row that has it`() async throws {
        let world = try world()
        let a = try await world.device("a")
        try world.execute(Self.reuse)
        try await a.sync()
        try world.execute("REPLACE INTO Notes VALUES (2, 'replaced', NULL)")
        try await a.insert(Self.mine, into: "Lines")
        #expect(try await a.syncUntilDone().quarantined == 0)
        #expect(try world.rows("SELECT NoteId FROM Lines WHERE Code = 'mine'") == ["2"])
    }
}

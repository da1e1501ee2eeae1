// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Negative keys that the service has itself, as `-1` for "unknown": no temporary ones of the device.
struct NegativeKeyTests {
    private static let schema =
        World.schema + """
            INSERT INTO Parents (Id, Name) VALUES (-1, 'unknown'), (-7, 'none');
            INSERT INTO Children (Id, ParentId, Label) VALUES (9, -1, 'stray');
            """

    private func name(_ device: Device, _ id: Int64) throws -> Value? {
        try device.store.read { try $0.entity(Key([.integer(id)]), in: "Parents") }?["Name"]
    }

    private func parent(_ device: Device, _ child: Int64) throws -> Value? {
        try device.store.read { try $0.entity(Key([.integer(child)]), in: "Children") }?["ParentId"]
    }

    @Test func `rows of both are told apart, also in what refers to them`() async throws {
        let world = try World(schema: Self.schema)
        let device = try await world.device("a")
        // Below all that the service has.
        #expect(try await device.insert(["Name": .string("new")], into: "Parents") == Key([.integer(-8)]))
        try await device.insert(["ParentId": .integer(-8), "Label": .string("of new")], into: "Children")
        try await device.insert(["ParentId": .integer(-1), "Label": .string("of unknown")], into: "Children")
        try await device.update(.integer(-1), ["Note": .string("mine")], in: "Parents")
        #expect(try await device.sync().sent == 4)
        #expect(
            try world.rows("SELECT Id, Name, Note FROM Parents WHERE Id < 0 OR Id > 3 ORDER BY Id") == [
                "-7|none|-", "-1|unknown|mine", "4|new|-",
            ]
        )
        #expect(
            try world.rows("SELECT ParentId, Label FROM Children WHERE Id > 3 ORDER BY Id") == [
                "-1|stray", "4|of new", "-1|of unknown",
            ]
        )
        let differences = try await device.verify().differences
        #expect(differences == [])
    }

    @Test func `changes of both sides of such a row are joined`() async throws {
        let world = try World(schema: Self.schema)
        let device = try await world.device("a")
        try await device.update(.integer(-7), ["Note": .string("mine")], in: "Parents")
        try world.execute("UPDATE Parents SET Name = 'theirs' WHERE Id = -7")
        #expect(try await device.syncUntilDone() == SyncReport(sent: 1, merged: 1))
        #expect(try world.rows("SELECT Name, Note FROM Parents WHERE Id = -7") == ["theirs|mine"])
    }

    @Test func `one that comes later is below no temporary key that is in use`() async throws {
        let world = try World()
        let device = try await world.device("a")
        #expect(try await device.insert(["Name": .string("first")], into: "Parents") == Key([.integer(-1)]))
        try world.execute("INSERT INTO Parents (Id, Name) VALUES (-5, 'late')")
        let report = try await device.sync()
        #expect(report.sent == 1 && report.received == 1)
        #expect(try name(device, -5) == .string("late"))
        #expect(try await device.insert(["Name": .string("second")], into: "Parents") == Key([.integer(-6)]))
        try await device.update(.integer(-5), ["Note": .string("mine")], in: "Parents")
        #expect(try await device.sync().sent == 2)
        #expect(
            try world.rows("SELECT Name, Note FROM Parents WHERE Id < 0 OR Id > 3 ORDER BY Id") == [
                "late|mine", "first|-", "second|-",
            ]
        )
        let differences = try await device.verify().differences
        #expect(differences == [])
    }

    @Test func `the lowest key that there is leaves room for temporary ones`() async throws {
        let lowest = Int64(Int32.min)
        let world = try World(
            schema: """
                CREATE TABLE Notes (Id INTEGER PRIMARY KEY, Name TEXT NOT NULL);
                CREATE TABLE Lines (Id INTEGER PRIMARY KEY, NoteId INTEGER NOT NULL REFERENCES Notes(Id));
                INSERT INTO Notes VALUES (\(lowest), 'lowest');
                """
        )
        let device = try await world.device("a")
        let key = try await device.insert(["Name": .string("new")], into: "Notes")
        #expect(key == Key([.integer(-1)]))
        try await device.insert(["NoteId": key.values[0]], into: "Lines")
        try await device.update(.integer(lowest), ["Name": .string("mine")], in: "Notes")
        #expect(try await device.sync().sent == 3)
        #expect(try world.rows("SELECT n.Name FROM Lines AS l JOIN Notes AS n ON n.Id = l.NoteId") == ["new"])
        #expect(try world.rows("SELECT Name FROM Notes ORDER BY Id") == ["mine", "new"])
    }

    @Test func `a temporary one that the service has too since is given up, and those above it`() async throws {
        let world = try World(
            schema: World.schema + """
                CREATE TRIGGER refuses BEFORE INSERT ON Parents WHEN NEW.Name LIKE 'held%'
                BEGIN SELECT RAISE(ABORT, 'not now'); END;
                """
        )
        let device = try await world.device("a")
        try await device.insert(["Name": .string("held one")], into: "Parents")
        try await device.insert(["Name": .string("held two")], into: "Parents")
        try await device.insert(["ParentId": .integer(-2), "Label": .string("of two")], into: "Children")
        #expect(try await device.sync().quarantined == 3)
        try world.execute("INSERT INTO Parents (Id, Name) VALUES (-2, 'theirs')")
        try world.execute("INSERT INTO Children (Id, ParentId, Label) VALUES (9, -2, 'of theirs')")
        let report = try await device.sync()
        #expect(report.received == 2)
        #expect(
            try [-1, -2, -3, -4, -5].map { try name(device, $0) } == [
                nil, .string("theirs"), nil, .string("held one"), .string("held two"),
            ]
        )
        #expect(try parent(device, 9) == .integer(-2))
        #expect(try parent(device, -3) == .integer(-5))
        try world.execute("DROP TRIGGER refuses")
        while let entry = try device.store.quarantined().first { try device.store.retry(quarantined: entry.id) }
        #expect(try await device.sync().sent == 3)
        #expect(
            try world.rows("SELECT Id, Name FROM Parents WHERE Id NOT IN (1, 2, 3) ORDER BY Id") == [
                "-2|theirs", "4|held one", "5|held two",
            ]
        )
        #expect(
            try world.rows("SELECT ParentId, Label FROM Children WHERE Id > 3 ORDER BY ParentId") == [
                "-2|of theirs", "5|of two",
            ]
        )
        let differences = try await device.verify().differences
        #expect(differences == [])
    }

    @Test func `rows whose keys hold such a key are told apart, too`() async throws {
        let world = try World(
            schema: """
                CREATE TABLE Orders (Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL);
                CREATE TABLE Lines (OrderId INT NOT NULL REFERENCES Orders(Id), No INT NOT NULL, Label TEXT,
                    PRIMARY KEY (OrderId, No));
                CREATE TRIGGER refuses BEFORE INSERT ON Orders WHEN NEW.Name = 'held'
                BEGIN SELECT RAISE(ABORT, 'not now'); END;
                """
        )
        let device = try await world.device("a")
        _ = try await device.store.write { transaction in
            let order = try transaction.insert(["Name": .string("held")], into: "Orders")
            let line: [String: Value] = ["OrderId": order.values[0], "No": .integer(1), "Label": .string("mine")]
            _ = try transaction.insert(line, into: "Lines")
        }
        #expect(try await device.sync().quarantined == 1)
        try world.execute("INSERT INTO Orders VALUES (-1, 'theirs'); INSERT INTO Lines VALUES (-1, 1, 'theirs')")
        #expect(try await device.sync().received == 2)
        let labels = try await device.store.read { reader in
            try [-1, -2].map { try reader.entity(Key([.integer($0), .integer(1)]), in: "Lines")?["Label"] }
        }
        #expect(labels == [.string("theirs"), .string("mine")])
        try world.execute("DROP TRIGGER refuses")
        let entry = try #require(try device.store.quarantined().first)
        try device.store.retry(quarantined: entry.id)
        #expect(try await device.sync().sent == 1)
        #expect(try world.rows("SELECT OrderId, Label FROM Lines ORDER BY OrderId") == ["-1|theirs", "1|mine"])
        let differences = try await device.verify().differences
        #expect(differences == [])
    }
}

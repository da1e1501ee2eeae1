// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// Properties whose default the service computes: it counts where a new entity has no value, and else the device's does.
struct ComputedDefaultTests {
    private let world: World
    private let device: Device

    init() async throws {
        world = try World(
            schema: """
                CREATE TABLE Visits (Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT,
                    Day DATE NOT NULL DEFAULT CURRENT_DATE, Note TEXT DEFAULT (lower('NONE')));
                INSERT INTO Visits VALUES (1, 'old', '2026-01-01', 'some');
                """
        )
        device = try await world.device("a")
    }

    private func day(_ month: Int, _ day: Int) throws -> Value {
        .date(try #require(CalendarDate(year: 2026, month: month, day: day)))
    }

    @Test func `a new entity takes what it is given, and what it is not given from the service`() async throws {
        try await device.insert(["Name": .string("given"), "Day": day(3, 3), "Note": .string("mine")], into: "Visits")
        let bare = try await device.insert(["Name": .string("bare")], into: "Visits")
        let waiting = try await device.store.read { try $0.entity(bare, in: "Visits") }
        #expect(waiting?["Day"] == .null)
        let report = try await device.sync()
        #expect(report.sent == 2 && report.quarantined == 0)
        #expect(
            try world.rows("SELECT Name, Day = CURRENT_DATE, Note FROM Visits WHERE Id > 1 ORDER BY Id")
                == ["given|0|mine", "bare|1|none"]
        )
        #expect(try world.rows("SELECT Day FROM Visits WHERE Id = 2") == ["2026-03-03"])
        #expect(try await device.verify().differences == [])
    }

    @Test func `it is changed like another, and merged with what the service has`() async throws {
        try await device.update(.integer(1), ["Day": day(4, 4)], in: "Visits")
        try world.execute("UPDATE Visits SET Name = 'theirs' WHERE Id = 1")
        let report = try await device.sync()
        #expect(report.merged == 1 && report.quarantined == 0)
        #expect(try world.rows("SELECT Name, Day, Note FROM Visits") == ["theirs|2026-04-04|some"])
        try await device.update(.integer(1), ["Note": .null], in: "Visits")
        let missing = await #expect(throws: LocalStoreError.self) {
            try await device.update(.integer(1), ["Day": .null], in: "Visits")
        }
        #expect(missing?.code == .nullValue)
        let raw = #expect(throws: LocalStoreError.self) {
            try device.store.raw { try $0.execute("UPDATE Visits SET Day = NULL") }
        }
        #expect(raw?.code == .nullValue)
        #expect(try await device.sync().sent == 1)
        #expect(try world.rows("SELECT Day, Note FROM Visits") == ["2026-04-04|-"])
        #expect(try await device.verify().differences == [])
    }

    @Test(.covers("DA-07")) func `one that can only be read is given by nobody`() async throws {
        let world = try World(
            schema: "CREATE TABLE Marks (Id INTEGER PRIMARY KEY AUTOINCREMENT, Day DATE NOT NULL DEFAULT CURRENT_DATE)"
        ) { sets in
            sets[0].type.properties[1].isReadOnly = true
        }
        let device = try await world.device("a")
        let refused = await #expect(throws: LocalStoreError.self) {
            try await device.insert(["Day": day(3, 3)], into: "Marks")
        }
        #expect(refused?.code == .readOnly)
        try await device.insert([:], into: "Marks")
        #expect(try await device.sync().sent == 1)
        #expect(try world.rows("SELECT Day = CURRENT_DATE FROM Marks") == ["1"])
    }

    @Test(.covers("DA-08"))
    func `what triggers make of an update and an insert is in the rows with the answer, and nothing more is asked`()
        async throws
    {
        try world.execute(
            """
            CREATE TRIGGER changed AFTER UPDATE OF Name ON Visits BEGIN
                UPDATE Visits SET Note = 'changed to ' || NEW.Name WHERE Id = NEW.Id;
            END;
            CREATE TRIGGER began AFTER INSERT ON Visits BEGIN
                UPDATE Visits SET Note = 'began as ' || NEW.Name WHERE Id = NEW.Id;
            END;
            """
        )
        try await device.update(.integer(1), ["Name": .string("x")], in: "Visits")
        try await device.insert(["Name": .string("y"), "Day": day(3, 3)], into: "Visits")
        // The answer to the push gets through, and nothing that is asked after it.
        device.transport.begin(chance: { $0 == 0 ? nil : .dropBefore })
        let error = await #expect(throws: ClientError.self) { try await device.sync() }
        #expect(error?.code == .interrupted)
        let rows = try await device.store.read { reader in
            try [1, 2].map { try reader.entity(Key([.integer($0)]), in: "Visits") }
        }
        let updated: [String: Value] = try [
            "Id": .integer(1), "Name": .string("x"), "Day": day(1, 1), "Note": .string("changed to x"),
        ]
        let inserted: [String: Value] = try [
            "Id": .integer(2), "Name": .string("y"), "Day": day(3, 3), "Note": .string("began as y"),
        ]
        #expect(rows == [updated, inserted])
        #expect(try device.store.status().pendingTransactions == 0)
        device.transport.begin()
        try await device.sync()
        let differences = try await device.verify().differences
        #expect(differences == [])
    }

    @Test func `an insert whose answer was lost is the same row, whatever the service has made of it`() async throws {
        try await device.insert(["Name": .string("bare")], into: "Visits")
        device.transport.begin(fault: .dropAfter, at: 0)
        _ = try? await device.sync()
        device.transport.begin()
        try await device.sync()
        #expect(try world.rows("SELECT Name, Note FROM Visits WHERE Id > 1") == ["bare|none"])
        #expect(try await device.verify().differences == [])
        #expect(try device.store.conflicts().isEmpty)
    }
}

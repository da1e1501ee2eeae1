// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline

@Entity("Visits")
struct Visit: Equatable {
    @Key(generated: true) var id: Int64
    var name: String?
    @ComputedDefault var day: CalendarDate?
    @ComputedDefault var note: String?
}

/// The same table, in the eyes of an app that leaves the defaults to the service.
@Entity("Visits", type: "Visit")
struct ReadVisit: Equatable {
    @Key(generated: true) var id: Int64
    var name: String?
    @Computed var day: CalendarDate?
    @Computed var note: String?
}

/// Typed entities with properties whose default the service computes.
struct ComputedDefaultEntityTests {
    private static let schema = """
        CREATE TABLE Visits (Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT,
            Day DATE NOT NULL DEFAULT (date('2026-01-01')), Note TEXT DEFAULT (lower('NONE')));
        """

    private func services(
        _ kind: HarbourServices,
        over world: World,
        of entity: any Queryable.Type
    ) async throws -> EntityServices {
        try await EntityServices(
            kind.configuration(in: world.folder),
            entities: [entity],
            transport: ServiceTransport(world.service),
            options: Device.options,
            userFolder: world.folder + "/user"
        )
    }

    private func date(_ month: Int, _ day: Int) throws -> CalendarDate {
        try #require(CalendarDate(year: 2026, month: month, day: day))
    }

    /// What lies at the service, by key: a default that is computed where nothing was given.
    @Test(arguments: HarbourServices.allCases)
    func `what an entity has is written, and what it lacks is made by the service`(kind: HarbourServices) async throws {
        let world = try World(schema: Self.schema)
        let services = try await services(kind, over: world, of: Visit.self)
        let visits = services.service(for: Visit.self)
        let given = try await visits.create(Visit(id: 0, name: "given", day: date(3, 3), note: "mine"))
        #expect(given.day == (try date(3, 3)) && given.note == "mine")
        let bare = try await visits.create(Visit(id: 0, name: "bare"))
        try await services.sync()
        var found = try await visits.getMany(Visit.where { $0.name == "given" })
        var changed = try #require(found.first)
        #expect(changed.day == (try date(3, 3)) && changed.note == "mine")
        changed.day = try date(4, 4)
        changed.note = "other"
        let updated = try await visits.update(changed)
        #expect(updated.day == (try date(4, 4)) && updated.note == "other")
        // Who still has it without a value changes none.
        changed.note = nil
        #expect(try await visits.update(changed).note == "other")
        try await services.sync()
        found = try await visits.getMany(Visit.where { $0.name == "bare" })
        let made = try #require(found.first)
        let rows = try world.rows("SELECT Name, Day, Note FROM Visits ORDER BY Name")
        if kind == .remote || kind == .synced {
            #expect(rows == ["bare|2026-01-01|none", "given|2026-04-04|other"])
            #expect(made.day == (try date(1, 1)) && made.note == "none")
        } else {
            // Without a service nobody makes them.
            #expect(rows == [] && made.day == nil && made.note == nil && bare.day == nil)
        }
        if kind == .synced { #expect(try services.store?.quarantined().isEmpty == true) }
        try await services.close()
    }

    @Test func `a store of the service's own model takes typed entities alike`() async throws {
        let world = try World(schema: Self.schema)
        let device = try await world.device("a")
        let visit = Visit(id: 0, name: "given", day: try date(3, 3), note: "mine")
        _ = try await device.store.write { try $0.insert(visit) }
        try await device.sync()
        #expect(try world.rows("SELECT Name, Day, Note FROM Visits") == ["given|2026-03-03|mine"])
        try await device.store.write { transaction in
            var stored = try #require(try transaction.fetch(Visit.where { $0.name == "given" }).first)
            stored.day = try date(4, 4)
            #expect(try transaction.update(stored))
        }
        try await device.sync()
        #expect(try world.rows("SELECT Name, Day, Note FROM Visits") == ["given|2026-04-04|mine"])
        #expect(try await device.verify().differences == [])
    }

    @Test(arguments: [HarbourServices.remote, .synced])
    func `what is computed in the eyes of the app is never written`(kind: HarbourServices) async throws {
        let world = try World(schema: Self.schema)
        let services = try await services(kind, over: world, of: ReadVisit.self)
        let visits = services.service(for: ReadVisit.self)
        _ = try await visits.create(ReadVisit(id: 0, name: "one", day: date(3, 3), note: "mine"))
        try await services.sync()
        var visit = try #require(try await visits.getMany(ReadVisit.where { $0.name == "one" }).first)
        #expect(visit.day == (try date(1, 1)) && visit.note == "none")
        (visit.name, visit.day, visit.note) = ("two", try date(4, 4), nil)
        _ = try await visits.update(visit)
        try await services.sync()
        #expect(try world.rows("SELECT Name, Day, Note FROM Visits") == ["two|2026-01-01|none"])
        try await services.close()
        // A store with the service's own model, too.
        let device = try await world.device("a")
        try await device.store.write { transaction in
            var stored = try #require(try transaction.fetch(ReadVisit.where { $0.name == "two" }).first)
            (stored.name, stored.day, stored.note) = ("three", try date(5, 5), nil)
            #expect(try transaction.update(stored))
            _ = try transaction.insert(ReadVisit(id: 0, name: "four", day: date(5, 5), note: "mine"))
        }
        try await device.sync()
        #expect(
            try world.rows("SELECT Name, Day, Note FROM Visits ORDER BY Id")
                == ["three|2026-01-01|none", "four|2026-01-01|none"]
        )
    }
}

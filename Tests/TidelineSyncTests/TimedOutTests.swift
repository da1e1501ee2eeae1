// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStore
import TidelineSync

/// A change that the database works at for longer than it may, whenever it is sent.
struct TimedOutTests {
    /// Products whose name is `slow` take a hundred thousand steps each.
    private static let schema =
        World.schema + """
            CREATE TRIGGER Slow AFTER UPDATE ON Products WHEN NEW.Name = 'slow' BEGIN
                UPDATE Parents SET Note = (
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT max(i) FROM n)
                WHERE Id = 1;
            END;
            """

    /// At each look at the clock a minute has gone.
    private func world() throws -> World {
        let looks = Mutex(0)
        let start = ContinuousClock.now
        let clock: @Sendable () -> ContinuousClock.Instant = {
            looks.withLock { looks in
                looks += 1
                return start + .seconds(60 * looks)
            }
        }
        var options = SQLiteStore.Options(statementTimeout: .seconds(30))
        options.clock = clock
        return try World(schema: Self.schema, describe: Self.countAmount, options: options)
    }

    private static func countAmount(_ model: inout EntityModel) {
        var sets = model.sets
        guard let place = sets.firstIndex(where: { $0.names.wire == "Parents" }),
            let property = sets[place].type.propertyIndex(wire: "Amount")
        else { return }
        sets[place].type.properties[property].conflictPolicy = .counter
        model = model.replacing(sets: sets)
    }

    @Test func `it ends in the quarantine, and what was written after it is sent`() async throws {
        let world = try world()
        let a = try await world.device("a")
        try await a.update(.string("P1"), ["Name": .string("slow")], in: "Products")
        try await a.update(.string("P1"), ["Rank": .integer(7)], in: "Products")
        try await a.update(.integer(2), ["Name": .string("quick")], in: "Parents")
        let report = try await a.sync()
        #expect(report.sent == 1)
        #expect(report.quarantined == 2)
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id = 2") == ["quick"])
        #expect(try world.rows("SELECT Rank, Name FROM Products WHERE Code = 'P1'") == ["1|Lamp"])
        let held = try a.store.quarantined()
        #expect(held.map(\.code) == ["StatementTimeout", "DependsOnQuarantined"])
        #expect(held.first?.status == 504)
        // Once the database is quick again, it goes with what came after it.
        try world.execute("DROP TRIGGER Slow")
        try a.store.retry(quarantined: held[0].id)
        #expect(try await a.sync().sent == 2)
        #expect(try world.rows("SELECT Rank, Name FROM Products WHERE Code = 'P1'") == ["7|slow"])
        #expect(try a.store.status().quarantined == 0)
        #expect(try await a.verify().differences == [])
    }

    /// What the service had not begun it knows by its number, from whichever copy it comes.
    @Test func `D9 of a copied store what comes after it takes effect once`() async throws {
        let world = try world()
        var a = try await world.device("a")
        try await a.update(.string("P1"), ["Name": .string("slow")], in: "Products")
        try await a.update(.integer(2), ["Amount": .integer(21)], in: "Parents")
        try await a.insert(["ParentId": .integer(2), "Label": .string("once")], into: "Children")
        try a.store.close()
        let b = try await world.copied(a, as: "b")
        a = try world.reopened(a)
        for device in [b, a] {
            let report = try await device.sync()
            #expect(report.sent == 2)
            #expect(report.quarantined == 1)
            #expect(report.conflicts == 0)
            #expect(try device.store.quarantined().map(\.code) == ["StatementTimeout"])
        }
        #expect(try world.rows("SELECT Amount FROM Parents WHERE Id = 2") == ["21"])
        #expect(try world.rows("SELECT count(*) FROM Children WHERE Label = 'once'") == ["1"])
    }

    /// An app in the background has seconds for a sync, and may be ended in between.
    @Test func `the times count whichever sync they come in, also where the app was ended between`() async throws {
        let world = try world()
        var a = try await world.device("a")
        try await a.update(.integer(3), ["Name": .string("before")], in: "Parents")
        try await a.update(.string("P1"), ["Name": .string("slow")], in: "Products")
        try await a.update(.integer(2), ["Name": .string("quick")], in: "Parents")
        // It builds on the first, which waits with it until it is decided.
        try await a.update(.integer(3), ["Note": .string("after")], in: "Parents")
        var options = Device.options
        options.retry.patience = .zero
        for _ in 1...2 {
            let engine = SyncEngine(store: a.store, client: a.client, options: options)
            let error = await #expect(throws: SyncError.self) { try await engine.sync() }
            #expect(error?.code == .unexpectedAnswer)
            #expect(try a.store.status().pendingTransactions == 4)
            try a.store.close()
            a = try world.reopened(a)
        }
        let report = try await SyncEngine(store: a.store, client: a.client, options: options).sync()
        #expect(report.quarantined == 1)
        #expect(report.sent == 3)
        #expect(
            try world.rows("SELECT Name, Note FROM Parents WHERE Id > 1 ORDER BY Id") == ["quick|n", "before|after"]
        )
    }
}

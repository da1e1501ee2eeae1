// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

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
        return try World(schema: Self.schema, options: options)
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
}

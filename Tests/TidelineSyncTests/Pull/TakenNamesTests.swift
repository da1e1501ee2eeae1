// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Sets may have the names that the statements of a store give to tables.
struct TakenNamesTests {
    private static let names = [
        "s", "o", "l", "g", "t0", "kept", "Excluded", "new", "old", "main", "temp", "stage", "key", "rowid",
    ]

    @Test(arguments: names)
    func `a set of any name stays in step`(name: String) async throws {
        let world = try World(
            schema: World.schema + "CREATE TABLE \"\(name)\" (id INTEGER PRIMARY KEY, v TEXT);"
                + "INSERT INTO \"\(name)\" VALUES (1, 'a'), (2, 'b'), (3, 'c');"
        )
        let device = try await world.device("a")
        func value(_ id: Int64) throws -> Value? {
            try device.store.read { try $0.entity(Key([.integer(id)]), in: name)?["v"] }
        }
        try world.execute("DELETE FROM \"\(name)\" WHERE id = 2; UPDATE \"\(name)\" SET v = 'new' WHERE id = 3")
        #expect(try await device.sync() == SyncReport(received: 1, removed: 1))
        #expect(try value(1) == .string("a") && value(2) == nil && value(3) == .string("new"))
        try await device.update(.integer(1), ["v": .string("mine")], in: name)
        try world.execute("DELETE FROM \"\(name)\" WHERE id = 3")
        _ = try await device.sync()
        #expect(try world.rows("SELECT id, v FROM \"\(name)\"") == ["1|mine"])
        #expect(try value(1) == .string("mine") && value(3) == nil)
        // Loaded anew it is compared with what is there.
        try world.execute("INSERT INTO \"\(name)\" VALUES (4, 'd')")
        let others = try device.store.subscriptions().filter { $0.set != name }
        try device.store.setSubscriptions(others + [Subscription(set: name, filter: "id gt 1")])
        _ = try await device.sync()
        #expect(try value(1) == nil && value(4) == .string("d"))
        let differences = try await device.verify().differences
        #expect(differences == [])
    }

    @Test func `tables and columns of the names that a device keeps are published under others`() async throws {
        let domain = try ChangingDomain(
            .postgres,
            """
            CREATE TABLE "SQLite_stat" ("id" int PRIMARY KEY, "Tideline_ETag" text, "tideline_reason" text);
            CREATE TABLE "tideline_outbox" ("id" int PRIMARY KEY);
            INSERT INTO "SQLite_stat" VALUES (1, 'e', 'r'); INSERT INTO "tideline_outbox" VALUES (7);
            """
        )
        let device = try await domain.device("a")
        #expect(device.store.model.sets.map(\.names.wire).sorted() == ["_SQLite_stat", "_tideline_outbox"])
        func row() throws -> [String: Value]? {
            try device.store.read { try $0.entity(Key([.integer(1)]), in: "_SQLite_stat") }
        }
        #expect(
            try row() == ["id": .integer(1), "Tideline_ETag_2": .string("e"), "tideline_reason_2": .string("r")]
        )
        try await device.update(.integer(1), ["tideline_reason_2": .string("mine")], in: "_SQLite_stat")
        #expect(try await device.sync().sent == 1)
        #expect(try domain.rows("_SQLite_stat", "id", "Tideline_ETag_2", "tideline_reason_2") == ["1|e|mine"])
        #expect(try await device.verify().isEqual)
    }
}

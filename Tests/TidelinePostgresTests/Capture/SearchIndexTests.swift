// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

@testable import TidelinePostgres

@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice), .ownThread)
struct SearchIndexTests {
    private static let tables = """
        CREATE TABLE notes(id int PRIMARY KEY, title varchar(100), body text);
        INSERT INTO notes VALUES (1, 'Red bike', 'fast and new'), (2, 'Boat', 'a red one'), (3, NULL, NULL);
        """

    @Test func `an index is made over the words and made anew for other columns`() throws {
        let database = try Published(Self.tables)
        let indexes = "SELECT indexname FROM pg_indexes WHERE indexname LIKE 'tideline_search%'"
        let store = try PostgresStore(conninfo: database.conninfo, model: database.model.searching(["notes": [1, 2]]))
        let name = try database.run(indexes)
        #expect(name.hasPrefix("tideline_search_"))
        #expect(try store.keys(of: "notes", matching: .word("red")) == ["1", "2"])
        #expect(try store.keys(of: "notes", matching: .phrase("red one")) == ["2"])
        #expect(try store.keys(of: "notes", matching: .phrase("bike fast")) == [])
        store.close()
        let again = try PostgresStore(conninfo: database.conninfo, model: database.model.searching(["notes": [2]]))
        #expect(try database.run(indexes) == name)
        #expect(try again.keys(of: "notes", matching: .word("red")) == ["2"])
        // Without its index a table is looked through.
        try database.run("DROP INDEX \(name)")
        #expect(try again.keys(of: "notes", matching: .word("red")) == ["2"])
        again.close()
        try PostgresStore(conninfo: database.conninfo, model: database.model.searching(["notes": [2]])).close()
        #expect(try database.run(indexes) == name)
        try PostgresStore(conninfo: database.conninfo, model: database.model.searching(["notes": []])).close()
        #expect(try database.run(indexes).isEmpty)
    }

    @Test func `the index serves the question`() throws {
        let database = try Published(
            Self.tables + "INSERT INTO notes SELECT n, 'word' || n, 'text' FROM generate_series(10, 5000) AS n;"
        )
        let model = database.model.searching(["notes": [1, 2]])
        try PostgresStore(conninfo: database.conninfo, model: model).close()
        let document = PostgresDialect.searchDocument(of: model.sets[0], alias: "t0")
        let plan = try database.run(
            "ANALYZE notes; EXPLAIN SELECT t0.id FROM notes AS t0 WHERE \(document) @@ CAST('word77' AS tsquery)"
        )
        #expect(plan.contains("tideline_search_"))
    }

    @Test func `whoever may write the table writes the index, long texts too, and unpublishing leaves nothing`() throws
    {
        let cluster = try PostgresCluster.shared()
        let conninfo = try cluster.makeDatabase(
            Self.tables
                + "DO $$ BEGIN CREATE ROLE scribe LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;"
                + "GRANT SELECT, INSERT ON notes TO scribe;"
        )
        let before = try cluster.dumpSchema(conninfo)
        let model = try PostgresPublisher.publish(conninfo: conninfo, namespace: "T") { _ in }.model
        let store = try PostgresStore(conninfo: conninfo, model: model.searching(["notes": [1, 2]]))
        let scribe = try PostgresConnection(conninfo.replacing("user=postgres", with: "user=scribe"))
        try scribe.execute("INSERT INTO notes VALUES (4, 'Été', 'red')")
        try scribe.execute(
            "INSERT INTO notes SELECT 5, 'long', string_agg(md5(n::text) || repeat('é', 90), ' ') FROM generate_series(1, 40000) AS n"
        )
        #expect(try store.keys(of: "notes", matching: .word("ete")) == ["4"])
        #expect(try store.keys(of: "notes", matching: .word("long")) == ["5"])
        store.close()
        try PostgresPublisher.unpublish(conninfo: conninfo)
        #expect(try cluster.dumpSchema(conninfo) == before)
    }
}

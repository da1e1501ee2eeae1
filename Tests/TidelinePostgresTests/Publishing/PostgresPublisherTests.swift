// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

@testable import TidelinePostgres

@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct PostgresPublisherTests {
    private static let tables = """
        CREATE SCHEMA sales;
        CREATE TABLE public.a(id serial PRIMARY KEY, name text);
        CREATE TABLE sales."Odd Name"(id int PRIMARY KEY, n int);
        CREATE TABLE p(id int PRIMARY KEY) PARTITION BY LIST (id); CREATE TABLE p1 PARTITION OF p DEFAULT;
        CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
        CREATE TRIGGER mine BEFORE UPDATE ON a FOR EACH ROW EXECUTE FUNCTION f();
        CREATE VIEW v AS SELECT * FROM a;
        """

    private struct Refused: Error {}

    private func message(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? StorageError)?.message ?? "\(error)"
        }
    }

    @Test(arguments: ["public", "sales"])
    func `publishing and unpublishing leave the schema as it was`(schema: String) throws {
        let cluster = try PostgresCluster.shared()
        let conninfo = try cluster.makeDatabase(Self.tables)
        let before = try cluster.dumpSchema(conninfo)
        try PostgresPublisher.publish(conninfo: conninfo, schema: schema, namespace: "T") { _ in }
        #expect(try PostgresPublisher.isPublished(conninfo: conninfo))
        #expect(try cluster.dumpSchema(conninfo) != before)
        try PostgresPublisher.unpublish(conninfo: conninfo)
        #expect(try !PostgresPublisher.isPublished(conninfo: conninfo))
        #expect(try cluster.dumpSchema(conninfo) == before)
    }

    @Test func `what fails before the commit leaves nothing, on the way in and out`() throws {
        let cluster = try PostgresCluster.shared()
        let conninfo = try cluster.makeDatabase(Self.tables)
        let before = try cluster.dumpSchema(conninfo)
        #expect(throws: Refused.self) {
            try PostgresPublisher.publish(conninfo: conninfo, namespace: "T") { _ in throw Refused() }
        }
        #expect(try cluster.dumpSchema(conninfo) == before)
        try PostgresPublisher.publish(conninfo: conninfo, namespace: "T") { _ in }
        #expect(throws: Refused.self) { try PostgresPublisher.unpublish(conninfo: conninfo) { throw Refused() } }
        #expect(try PostgresPublisher.isPublished(conninfo: conninfo))
    }

    @Test func `what the owner has made of what publishing added is named, and does not go with it`() throws {
        let conninfo = try PostgresCluster.shared().makeDatabase("CREATE TABLE tags (id int PRIMARY KEY, name text)")
        try PostgresPublisher.publish(conninfo: conninfo, namespace: "T") { _ in }
        let owner = try PostgresConnection(conninfo)
        try owner.execute(
            """
            CREATE VIEW lost AS SELECT * FROM tideline.conflicts; CREATE INDEX lower ON tags (tideline.lower(name));
            ALTER TABLE tags ALTER name SET DEFAULT tideline.lower('X')
            """
        )
        #expect(
            message { try PostgresPublisher.unpublish(conninfo: conninfo) }
                == "What publishing added is used by default value public.tags.name, index public.lower, view lost, "
                + "which would go with it. Drop that first."
        )
        #expect(try PostgresPublisher.isPublished(conninfo: conninfo))
        try owner.execute("DROP VIEW lost; DROP INDEX lower; ALTER TABLE tags ALTER name DROP DEFAULT")
        try PostgresPublisher.unpublish(conninfo: conninfo)
        #expect(try !PostgresPublisher.isPublished(conninfo: conninfo))
    }

    @Test func `the full-text index of a table with partitions goes with what publishing added`() throws {
        let cluster = try PostgresCluster.shared()
        let conninfo = try cluster.makeDatabase(
            """
            CREATE TABLE notes (id int PRIMARY KEY, title text) PARTITION BY RANGE (id);
            CREATE TABLE part_1 PARTITION OF notes FOR VALUES FROM (0) TO (100)
            """
        )
        let before = try cluster.dumpSchema(conninfo)
        let model = try PostgresPublisher.publish(conninfo: conninfo, namespace: "T") { _ in }.model
        let store = try PostgresStore(conninfo: conninfo, model: model.searching(["notes": [1]]))
        _ = try store.read { try $0.position() }
        store.close()
        #expect(try cluster.dumpSchema(conninfo).contains("tideline_search_"))
        try PostgresPublisher.unpublish(conninfo: conninfo)
        #expect(try cluster.dumpSchema(conninfo) == before)
    }

    @Test(arguments: [
        "ALTER TABLE tags RENAME COLUMN id TO tid",
        "DROP TABLE tags; CREATE TABLE tags (tid int PRIMARY KEY, name text)",
    ])
    func `a table whose key has other columns is published again, and its changes are told from then on`(
        change: String
    ) throws {
        let conninfo = try PostgresCluster.shared().makeDatabase(
            "CREATE TABLE tags (id int PRIMARY KEY, name text); CREATE TABLE notes (id int PRIMARY KEY)"
        )
        try PostgresPublisher.publish(conninfo: conninfo, namespace: "T") { _ in }
        let owner = try PostgresConnection(conninfo)
        try owner.execute(change)
        let model = try PostgresPublisher.publish(conninfo: conninfo, namespace: "T", isLeftover: { true }) { _ in }
            .model
        let store = try PostgresStore(conninfo: conninfo, model: model)
        defer { store.close() }
        let start = try store.read { try $0.position() }
        try owner.execute("INSERT INTO tags VALUES (7, 'seven'); INSERT INTO notes VALUES (8)")
        var keys: [Key] = []
        for name in ["tags", "notes"] {
            let set = try #require(model[set: name])
            _ = try store.read { try $0.changes(ChangeQuery(set: set, since: start)) { keys.append($0.key!) } }
        }
        #expect(keys == [Key([.integer(7)]), Key([.integer(8)])])
    }

    @Test func `a database is published once, unless nothing is left of the domain`() throws {
        let conninfo = try PostgresCluster.shared().makeDatabase(Self.tables)
        try PostgresPublisher.publish(conninfo: conninfo, namespace: "T") { _ in }
        #expect(
            message { try PostgresPublisher.publish(conninfo: conninfo, namespace: "T") { _ in } }
                == "The database is published already; unpublish it first."
        )
        try PostgresPublisher.publish(conninfo: conninfo, namespace: "T", isLeftover: { true }) { _ in }
        try PostgresPublisher.unpublish(conninfo: conninfo)
        #expect(message { try PostgresPublisher.unpublish(conninfo: conninfo) } == "The database is not published.")
    }

    @Test func `what stands in the way is said with its remedy`() throws {
        let cluster = try PostgresCluster.shared()
        let foreign = try cluster.makeDatabase("CREATE SCHEMA tideline; CREATE TABLE tideline.mine(id int PRIMARY KEY)")
        #expect(
            message { try PostgresPublisher.publish(conninfo: foreign, namespace: "T") { _ in } }
                == "The database has a schema named tideline that is not of Tideline's making; rename it."
        )
        let conninfo = try cluster.makeDatabase(
            Self.tables + "DO $$ BEGIN CREATE ROLE guest LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;"
        )
        #expect(
            message { try PostgresPublisher.publish(conninfo: conninfo, schema: "nix", namespace: "T") { _ in } }
                == "The database has no schema nix; it has public, sales."
        )
        let name = cluster.name(of: conninfo)
        let guest = conninfo.replacing("user=postgres", with: "user=guest")
        #expect(
            message { try PostgresPublisher.publish(conninfo: guest, namespace: "T") { _ in } }
                == "The role guest may not create a schema, which change capture needs. Let an administrator run: "
                + "GRANT CREATE ON DATABASE \"\(name)\" TO \"guest\""
        )
        try cluster.run("GRANT CREATE ON DATABASE \(name) TO guest", database: "postgres")
        #expect(
            message { try PostgresPublisher.publish(conninfo: guest, namespace: "T") { _ in } }?.contains(
                "a belongs to postgres: only its owner may add change capture to it."
            ) == true
        )
    }
}

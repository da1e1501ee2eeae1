// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage

struct SQLitePublisherTests {
    private static let schema = """
        CREATE TABLE clients(id TEXT PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE orders(id INTEGER PRIMARY KEY, client TEXT REFERENCES clients(id), total DECIMAL(10,2));
        CREATE UNIQUE INDEX orders_total ON orders(total) WHERE total > 0;
        CREATE VIEW big AS SELECT * FROM orders WHERE total > 100;
        CREATE TRIGGER audit AFTER UPDATE ON orders BEGIN SELECT 1; END;
        INSERT INTO clients VALUES ('k1', 'One'); INSERT INTO orders VALUES (1, 'k1', 10.5);
        """

    @Test func `unpublishing leaves the schema as it was, byte by byte`() throws {
        let scratch = try Scratch(Self.schema)
        let before = try scratch.schema()
        let mode = try scratch.rows("PRAGMA journal_mode")
        let store = try scratch.store()
        #expect(try SQLitePublisher.isPublished(path: scratch.path))
        try scratch.run("UPDATE orders SET total = 12")
        try store.close()
        try SQLitePublisher.unpublish(path: scratch.path)
        #expect(try scratch.schema() == before)
        #expect(try scratch.rows("PRAGMA journal_mode") == mode)
        #expect(try scratch.rows("PRAGMA integrity_check") == ["ok"])
        #expect(try scratch.rows("SELECT total FROM orders") == ["12"])
        #expect(try !SQLitePublisher.isPublished(path: scratch.path))
    }

    @Test func `a table sqlite_sequence that was there, or is needed by now, stays`() throws {
        let own = "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT); INSERT INTO t(a) VALUES ('x');"
        let first = try Scratch(own)
        let before = try first.schema()
        try first.publish()
        try SQLitePublisher.unpublish(path: first.path)
        #expect(try first.schema() == before)
        #expect(try first.rows("SELECT * FROM sqlite_sequence") == ["t|1"])

        let second = try Scratch("CREATE TABLE u(id INTEGER PRIMARY KEY)")
        try second.publish()
        try second.run(own)
        try SQLitePublisher.unpublish(path: second.path)
        #expect(try second.rows("SELECT * FROM sqlite_sequence") == ["t|1"])
        #expect(try second.rows("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `when the caller fails before the commit, nothing has changed`() throws {
        struct Failure: Error {}
        let scratch = try Scratch(Self.schema)
        let before = try scratch.schema()
        #expect(throws: Failure.self) {
            try SQLitePublisher.publish(path: scratch.path, namespace: "Test") { found in
                #expect(found.model.sets.map(\.names.wire) == ["clients", "orders"])
                throw Failure()
            }
        }
        #expect(try scratch.schema() == before)
        #expect(try scratch.rows("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `publishing twice is refused, unless the first was never finished`() throws {
        let scratch = try Scratch(Self.schema)
        let before = try scratch.schema()
        try scratch.publish()
        let error = #expect(throws: StorageError.self) { try scratch.publish() }
        #expect(error?.message == "The database is published already; unpublish it first.")
        let found = try SQLitePublisher.publish(
            path: scratch.path,
            namespace: "Test",
            isLeftover: { true },
            beforeCommit: { _ in }
        )
        #expect(found.model.sets.count == 2)
        try SQLitePublisher.unpublish(path: scratch.path)
        #expect(try scratch.schema() == before)
    }

    @Test func `tables that cannot be published are named with what to do`() throws {
        let scratch = try Scratch(
            """
            CREATE TABLE good(id INTEGER PRIMARY KEY); CREATE TABLE keyless(a, b);
            CREATE TABLE mixed(id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO mixed VALUES (1, 1), (2, 'two');
            CREATE VIEW v AS SELECT 1 AS one; CREATE VIRTUAL TABLE f USING fts5(x);
            CREATE TABLE nullkey(k TEXT PRIMARY KEY); INSERT INTO nullkey VALUES (NULL);
            """
        )
        let found = try scratch.publish()
        #expect(found.model.sets.map(\.names.wire) == ["good"])
        #expect(
            found.refusals.map(\.message) == [
                "f is a virtual table, whose changes cannot be captured; it is left out.",
                "The table keyless has no key. Give it a PRIMARY KEY, or a unique index over columns that are NOT NULL.",
                "mixed: the column n is declared INTEGER and holds 1 integers and 1 texts; make its values agree, then publish again.",
                "nullkey: the column k is a key and is null in 1 rows; give them values.",
                "The view v has no key, so it is left out; name its key with --key v=Column,…",
            ]
        )
    }

    @Test func `a database with nothing to publish is refused whole`() throws {
        let scratch = try Scratch("CREATE TABLE keyless(a)")
        let before = try scratch.schema()
        let error = #expect(throws: StorageError.self) { try scratch.publish() }
        #expect(error?.code == .unsupported)
        #expect(try scratch.schema() == before)
    }

    @Test func `unpublishing what is not published, and a missing file, are refused`() throws {
        let scratch = try Scratch(Self.schema)
        #expect(throws: StorageError(.unsupported, message: "The database is not published.")) {
            try SQLitePublisher.unpublish(path: scratch.path)
        }
        let error = #expect(throws: StorageError.self) {
            try SQLitePublisher.publish(path: scratch.path + ".none", namespace: "Test", beforeCommit: { _ in })
        }
        #expect(error?.code == .io)
        #expect(!FileManager.default.fileExists(atPath: scratch.path + ".none"))
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage

/// Keys that SQLite gives to a new row after the one that had them was deleted.
struct KeyReuseTests {
    private static let schema = """
        CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, code TEXT UNIQUE);
        INSERT INTO t VALUES (1, 'one', 'c1'), (2, 'two', 'c2');
        """

    private func etag(_ key: Int64, _ store: SQLiteStore) throws -> ETag? {
        let set = try #require(store.model[set: "t"])
        let found = try store.read { try $0.entity(Key([.integer(key)]), in: set) }?.etag
        // A page of all rows tells the same of each.
        let sink = ETags()
        _ = try store.read { try $0.read(ReadPlan(model: store.model, set: set, columns: [0]), into: sink) }
        #expect(sink.etags[key] == found)
        return found
    }

    private final class ETags: RowSink {
        var etags: [Int64: ETag] = [:]
        private var key: Int64 = 0
        func beginRow() {}
        func null() {}
        func boolean(_ value: Bool) {}
        func integer(_ value: Int64) { key = value }
        func double(_ value: Double) {}
        func text(_ utf8: UnsafeRawBufferPointer) {}
        func binary(_ bytes: UnsafeRawBufferPointer) {}
        func beginExpansion(_ index: Int) {}
        func endExpansion(_ index: Int, count: Int?) {}
        func endRow(etag: ETag?) { etags[key] = etag }
    }

    @Test func `the ETag of a row whose key was given again says so, and differs each time`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let first = try #require(try etag(2, store))
        #expect(first.reuse == 0)
        try scratch.run("DELETE FROM t WHERE id = 2; INSERT INTO t(a, code) VALUES ('two', 'c2')")
        let second = try #require(try etag(2, store))
        #expect(second.reuse > 0)
        // The content is the same, and what is left of the hash too.
        #expect(second.high == first.high)
        try scratch.run("UPDATE t SET a = 'changed' WHERE id = 2")
        let changed = try #require(try etag(2, store))
        #expect(changed != second && changed.reuse == second.reuse)
        try scratch.run("DELETE FROM t WHERE id = 2; INSERT INTO t(id, a, code) VALUES (NULL, 'two', 'c2')")
        let third = try #require(try etag(2, store))
        #expect(third.reuse > second.reuse)
        #expect(try etag(1, store)?.reuse == 0)
    }

    @Test(arguments: [
        "DELETE FROM t WHERE id = 2; INSERT INTO t(id, a, code) VALUES (2, 'two', 'c2')",
        "REPLACE INTO t VALUES (2, 'two', 'c2')",
        "INSERT INTO t VALUES (2, 'x', 'x') ON CONFLICT(id) DO UPDATE SET a = a",
        "UPDATE t SET id = 9 WHERE id = 2; UPDATE t SET id = 2 WHERE id = 9",
        "DELETE FROM t; INSERT INTO t VALUES (1, 'one', 'c1'), (2, 'two', 'c2')",
        "INSERT OR IGNORE INTO t VALUES (2, 'x', 'x'); INSERT OR IGNORE INTO t VALUES (7, 'x', 'c1')",
    ])
    func `a statement that names the key means the row that had it`(sql: String) throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let before = try etag(2, store)
        // Its key was given up before, too.
        try scratch.run("INSERT INTO t VALUES (5, 'five', 'c5'); DELETE FROM t WHERE id = 5; " + sql)
        #expect(try etag(2, store) == before)
        #expect(before?.reuse == 0)
    }

    @Test func `a row that was written under a key that it kept is the same in its second use, too`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        try scratch.run("DELETE FROM t WHERE id = 2; INSERT INTO t(a, code) VALUES ('new', 'c2')")
        let before = try #require(try etag(2, store))
        try scratch.run("DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (2, 'new', 'c2')")
        #expect(try etag(2, store) == before)
        try scratch.run("REPLACE INTO t VALUES (2, 'new', 'c2')")
        #expect(try etag(2, store) == before)
        #expect(before.reuse > 0)
    }

    @Test func `a key that an update gave up is given again too`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        try scratch.run("UPDATE t SET id = -2 WHERE id = 2; INSERT INTO t(a, code) VALUES ('new', 'new')")
        #expect(try #require(try etag(2, store)).reuse > 0)
        #expect(try etag(-2, store)?.reuse == 0)
    }

    @Test func `a deletion that the log has no more counts`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        try scratch.run("DELETE FROM t WHERE id = 2; UPDATE t SET a = 'x' WHERE id = 1")
        #expect(try store.compact(LogRetention(entries: 1), now: 0, limit: 100).removed == 1)
        try scratch.run("INSERT INTO t(a, code) VALUES ('new', 'new')")
        #expect(try #require(try etag(2, store)).reuse > 0)
    }

    @Test func `new keys are no reuse, and no table that gives none twice has any`() throws {
        let scratch = try Scratch(
            Self.schema + """
                CREATE TABLE auto(id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT);
                CREATE TABLE named(id TEXT PRIMARY KEY, a TEXT);
                CREATE TABLE pair(a INTEGER, b INTEGER, PRIMARY KEY (a, b));
                """
        )
        let store = try scratch.store()
        try scratch.run(
            "INSERT INTO t(a) VALUES ('three'), ('four'); DELETE FROM t WHERE id < 3; INSERT INTO t(a) VALUES ('x')"
        )
        for key in [3, 4, 5] as [Int64] { #expect(try etag(key, store)?.reuse == 0) }
        #expect(try scratch.rows("SELECT table_name, highest FROM tideline_keys") == ["t|2"])
        #expect(try scratch.rows("SELECT * FROM tideline_reused") == [])
    }

    @Test func `the store gives no key a second time`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let set = try #require(store.model[set: "t"])
        func insert(_ values: [Int: Value]) throws -> Key {
            try store.write { try $0.insert(values, into: set) }
        }
        try scratch.run("DELETE FROM t WHERE id = 2")
        #expect(try insert([1: .string("new")]) == Key([.integer(3)]))
        try scratch.run("DELETE FROM t")
        #expect(try insert([:]) == Key([.integer(4)]))
        #expect(try insert([1: .string("next")]) == Key([.integer(5)]))
        #expect(try scratch.rows("SELECT * FROM tideline_reused") == [])
        // The last key of all is followed by none.
        try scratch.run("INSERT INTO t(id) VALUES (9223372036854775807); DELETE FROM t WHERE id > 5")
        #expect(try insert([1: .string("last")]) == Key([.integer(6)]))
    }

    @Test func `a database that was published before reuses were noted goes on in its epoch`() throws {
        let scratch = try Scratch(Self.schema)
        var store = try scratch.store()
        let start = try store.position()
        try scratch.run("DELETE FROM t WHERE id = 2")
        try store.close()
        // As it was: the triggers without what they note, in the order of their making.
        let notes = ["tideline_keys", "tideline_reused"]
        let triggers = try scratch.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
        var script = ""
        for name in triggers {
            let sql = try #require(try scratch.rows("SELECT sql FROM sqlite_schema WHERE name = '\(name)'").first)
            let lines = sql.split(separator: "\n").filter { line in !notes.contains { line.contains($0) } }
            script += "DROP TRIGGER \(name); \(lines.joined(separator: "\n"));\n"
        }
        try scratch.run(
            script + """
                DROP VIEW tideline_guard; CREATE VIEW tideline_guard AS SELECT 1 AS one;
                DROP TABLE tideline_keys; DROP TABLE tideline_reused; DELETE FROM tideline_state WHERE name = 'reuse';
                """
        )
        store = try SQLiteStore(path: scratch.path, model: store.model)
        #expect(try store.changes("t", since: start) == ["(2) 2|two|c2"])
        #expect(try scratch.rows("SELECT table_name, highest FROM tideline_keys") == ["t|2"])
        try scratch.run("INSERT INTO t(a, code) VALUES ('new', 'new')")
        #expect(try #require(try etag(2, store)).reuse > 0)
        #expect(try store.changes("t", since: start) == ["(2) 2|two|c2"])
    }
}

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

    /// A script without the trigger that it has made already.
    private func again(_ sql: String) -> String {
        sql.split(separator: "\n").filter { !$0.hasPrefix("CREATE") }.joined(separator: "\n")
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
        "INSERT OR IGNORE INTO t VALUES (2, 'x', 'x'); INSERT OR IGNORE INTO t VALUES (4, 'x', 'c1')",
        "PRAGMA recursive_triggers = 1; REPLACE INTO t VALUES (2, 'two', 'c2')",
        "PRAGMA recursive_triggers = 1; DELETE FROM t WHERE id = 5; REPLACE INTO t VALUES (2, 'two', 'c2')",
        """
        CREATE TRIGGER stamp AFTER INSERT ON t BEGIN UPDATE t SET a = a WHERE id = NEW.id; END;
        REPLACE INTO t VALUES (2, 'two', 'c2'); DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (2, 'two', 'c2')
        """,
    ])
    func `a statement that names the key means the row that had it`(sql: String) throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let before = try etag(2, store)
        try scratch.run(sql)
        #expect(try etag(2, store) == before)
        // A higher key was given up before, too.
        try scratch.run("INSERT INTO t VALUES (5, 'five', 'c5'); DELETE FROM t WHERE id = 5; \(again(sql))")
        #expect(try etag(2, store) == before)
        #expect(before?.reuse == 0)
    }

    @Test(arguments: [
        "DELETE FROM t WHERE id = 2; INSERT OR IGNORE INTO t VALUES (2, 'x', 'c1')",
        "DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (2, 'x', 'c1') ON CONFLICT(code) DO UPDATE SET a = 'one'",
        "DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (2, 'x', 'x'); DELETE FROM t WHERE id = 2",
        "REPLACE INTO t VALUES (1, 'one', 'c2')",
        "UPDATE OR REPLACE t SET code = 'c2' WHERE id = 1",
        "PRAGMA recursive_triggers = 1; REPLACE INTO t VALUES (1, 'one', 'c2')",
        "UPDATE t SET id = -2 WHERE id = 2",
    ])
    func `a key that was given up in any way is noted when SQLite gives it again, and not given by the store`(
        sql: String
    ) throws {
        for isOwn in [true, false] {
            let scratch = try Scratch(Self.schema)
            let store = try scratch.store()
            let set = try #require(store.model[set: "t"])
            try scratch.run(sql)
            if isOwn {
                let key = try store.write { try $0.insert([1: .string("new")], into: set) }
                #expect(key == Key([.integer(3)]))
            } else {
                try scratch.run("INSERT INTO t(a) VALUES ('new')")
                #expect(try #require(try etag(2, store)).reuse > 0)
            }
            #expect(try scratch.rows("SELECT count(*) FROM tideline_reused") == [isOwn ? "0" : "1"])
        }
    }

    @Test func `a key that is 0 or below it is the row that had it, too`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        for key in [0, -2, -7] as [Int64] {
            try scratch.run("INSERT INTO t(id, a) VALUES (\(key), 'x')")
            #expect(try etag(key, store)?.reuse == 0)
            try scratch.run("DELETE FROM t WHERE id = \(key); INSERT INTO t(id, a) VALUES (\(key), 'x')")
            #expect(try etag(key, store)?.reuse == 0)
        }
    }

    @Test func `a table whose key is another one gives it as it comes`() throws {
        let scratch = try Scratch(Self.schema)
        try scratch.publish()
        try scratch.run("DELETE FROM t WHERE id = 2")
        let rebuild = """
            BEGIN; CREATE TABLE n(a TEXT NOT NULL, code TEXT NOT NULL, PRIMARY KEY (a, code));
            INSERT INTO n SELECT a, code FROM t; DROP TABLE t; ALTER TABLE n RENAME TO t; COMMIT;
            """
        try scratch.run(rebuild, foreignKeys: false)
        let store = try again(scratch)
        let set = try #require(store.model[set: "t"])
        let key = try store.write { try $0.insert([0: .string("x"), 1: .string("y")], into: set) }
        #expect(key == Key([.string("x"), .string("y")]))
        #expect(try scratch.rows("SELECT * FROM tideline_keys") == [])
    }

    /// Publishes a database again.
    private func again(_ scratch: Scratch, skipping: Set<String> = []) throws -> SQLiteStore {
        let found = try SQLitePublisher.publish(
            path: scratch.path,
            namespace: "Test",
            skipping: skipping,
            isLeftover: { true }
        ) { _ in }
        return try SQLiteStore(path: scratch.path, model: found.model)
    }

    @Test func `reuses are known after a table was left out for a while`() throws {
        let scratch = try Scratch(Self.schema + "CREATE TABLE u(id INTEGER PRIMARY KEY);")
        var store = try scratch.store()
        try scratch.run("DELETE FROM t WHERE id = 2; INSERT INTO t(a, code) VALUES ('new', 'c2')")
        let before = try etag(2, store)
        try store.close()
        try again(scratch, skipping: ["t"]).close()
        store = try again(scratch)
        #expect(try etag(2, store) == before)
    }

    @Test func `a way back to a copy gives no key that was given since`() throws {
        let scratch = try Scratch(
            Self.schema + """
                CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT);
                CREATE TABLE empty(id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT);
                INSERT INTO counted(a) VALUES ('one');
                """
        )
        let store = try scratch.store()
        let copy = scratch.path + ".copy"
        try SQLiteBackup.write(scratch.path, to: copy)
        func insert(_ name: String) throws -> Key {
            let set = try #require(store.model[set: name])
            return try store.write { try $0.insert([1: .string("x")], into: set) }
        }
        for name in ["t", "counted", "empty"] { _ = try insert(name) }
        try scratch.run("DELETE FROM t WHERE id = 3")
        try SQLiteBackup.restore(copy, into: scratch.path, model: store.model)
        #expect(try ["t", "counted", "empty"].map(insert) == [4, 3, 2].map { Key([.integer($0)]) })
        try SQLiteBackup.restore(copy, into: scratch.path, model: store.model, keepsKeys: false)
        #expect(try ["t", "counted", "empty"].map(insert) == [3, 2, 1].map { Key([.integer($0)]) })
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
        // The last key of all is followed by none: SQLite chooses then, and the triggers note it.
        try scratch.run("INSERT INTO t(id) VALUES (9223372036854775807); DELETE FROM t WHERE id > 5")
        #expect(try insert([1: .string("last")]) == Key([.integer(6)]))
    }

    /// Makes a database as it was before reuses were noted: triggers without that, in the order of their making.
    private func makeOld(_ scratch: Scratch) throws {
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
    }

    @Test func `a database that was published before reuses were noted goes on in its epoch`() throws {
        let scratch = try Scratch(Self.schema)
        var store = try scratch.store()
        let start = try store.position()
        try scratch.run("DELETE FROM t WHERE id = 2")
        try store.close()
        try makeOld(scratch)
        store = try SQLiteStore(path: scratch.path, model: store.model)
        #expect(try store.changes("t", since: start) == ["(2) 2|two|c2"])
        #expect(try scratch.rows("SELECT table_name, highest FROM tideline_keys") == ["t|2"])
        try scratch.run("INSERT INTO t(a, code) VALUES ('new', 'new')")
        #expect(try #require(try etag(2, store)).reuse > 0)
        #expect(try store.changes("t", since: start) == ["(2) 2|two|c2"])
    }

    @Test func `such a database is published again, also where a table of it is gone`() throws {
        let scratch = try Scratch(Self.schema + "CREATE TABLE u(id INTEGER PRIMARY KEY);")
        try scratch.publish()
        try makeOld(scratch)
        try scratch.run("DROP TABLE u")
        let store = try again(scratch)
        #expect(store.model.sets.map(\.names.wire) == ["t"])
        try scratch.run("DELETE FROM t WHERE id = 2; INSERT INTO t(a, code) VALUES ('new', 'new')")
        #expect(try #require(try etag(2, store)).reuse > 0)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineTestSupport

struct CaptureTests {
    static let people = """
        CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, email TEXT UNIQUE, owner TEXT);
        INSERT INTO people VALUES (1, 'Ann', 'a@x', 'u1'), (2, 'Bob', 'b@x', 'u2'), (3, 'Cid', 'c@x', 'u1');
        """

    @Test(arguments: [
        "INSERT OR REPLACE INTO people VALUES (9, 'Zed', 'a@x', 'u9')",
        "REPLACE INTO people VALUES (9, 'Zed', 'a@x', 'u9')",
    ])
    func `REPLACE through a secondary unique key logs the row that it removes`(sql: String) throws {
        let scratch = try Scratch(Self.people)
        let store = try scratch.store()
        let start = try store.position()
        try scratch.run(sql)
        #expect(try store.changes("people", since: start) == ["(1) 1|Ann|a@x|u1", "(9) new"])
        #expect(try scratch.rows("SELECT id FROM people ORDER BY id") == ["2", "3", "9"])
    }

    @Test func `UPDATE OR REPLACE logs the row that it removes, and a changed key`() throws {
        let scratch = try Scratch(Self.people)
        let store = try scratch.store()
        var start = try store.position()
        try scratch.run("UPDATE OR REPLACE people SET email = 'b@x' WHERE id = 1")
        #expect(try store.changes("people", since: start) == ["(2) 2|Bob|b@x|u2", "(1) 1|Ann|a@x|u1"])
        start = try store.position()
        try scratch.run("UPDATE OR REPLACE people SET id = 3 WHERE id = 1")
        #expect(try store.changes("people", since: start) == ["(1) 1|Ann|b@x|u1", "(3) 3|Cid|c@x|u1"])
        start = try store.position()
        try scratch.run("UPDATE people SET id = 30 WHERE id = 3")
        #expect(try store.changes("people", since: start) == ["(3) 3|Ann|b@x|u1", "(30) new"])
    }

    @Test func `UPSERT logs the updated row`() throws {
        let scratch = try Scratch(Self.people)
        let store = try scratch.store()
        let start = try store.position()
        try scratch.run(
            "INSERT INTO people(id, name, email) VALUES (7, 'U', 'a@x') ON CONFLICT(email) DO UPDATE SET name = 'Up'"
        )
        #expect(try store.changes("people", since: start) == ["(1) 1|Ann|a@x|u1"])
        #expect(try scratch.rows("SELECT name FROM people WHERE id = 1") == ["Up"])
    }

    @Test func `REPLACE through expression and partial indexes is seen too`() throws {
        let scratch = try Scratch(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b INTEGER, live INTEGER);
            CREATE UNIQUE INDEX t_lower ON t(lower(a), b);
            CREATE UNIQUE INDEX t_live ON t(b) WHERE live = 1;
            INSERT INTO t VALUES (1, 'One', 1, 0), (2, 'Two', 2, 1);
            """
        )
        let store = try scratch.store()
        var start = try store.position()
        try scratch.run("REPLACE INTO t VALUES (3, 'ONE', 1, 0)")
        #expect(try store.changes("t", since: start) == ["(1) 1|One|1|0", "(3) new"])
        start = try store.position()
        try scratch.run("REPLACE INTO t VALUES (4, 'x', 2, 1)")
        #expect(try store.changes("t", since: start) == ["(2) 2|Two|2|1", "(4) new"])
    }

    @Test func `cascades and REPLACE that cascades are logged`() throws {
        let scratch = try Scratch(
            """
            CREATE TABLE p(id INTEGER PRIMARY KEY, n TEXT);
            CREATE TABLE c(id INTEGER PRIMARY KEY, p INTEGER REFERENCES p(id) ON DELETE CASCADE);
            CREATE TABLE d(id INTEGER PRIMARY KEY, p INTEGER REFERENCES p(id) ON DELETE SET NULL ON UPDATE CASCADE);
            INSERT INTO p VALUES (1, 'a'), (2, 'b'); INSERT INTO c VALUES (10, 1), (11, 2); INSERT INTO d VALUES (20, 1), (21, 2);
            """
        )
        let store = try scratch.store()
        var start = try store.position()
        try scratch.run("DELETE FROM p WHERE id = 1")
        #expect(try store.changes("c", since: start) == ["(10) 10|1"])
        #expect(try store.changes("d", since: start) == ["(20) 20|1"])
        start = try store.position()
        try scratch.run("REPLACE INTO p VALUES (2, 'bb')")
        #expect(try store.changes("c", since: start) == ["(11) 11|2"])
        #expect(try store.changes("p", since: start) == ["(2) 2|b"])
    }

    @Test func `composite and text keys, WITHOUT ROWID, odd names and odd values come through`() throws {
        let scratch = try Scratch(
            """
            CREATE TABLE "my ""odd"" table"("select" TEXT, "a b" INTEGER, "x'y" BLOB, PRIMARY KEY("select", "a b")) WITHOUT ROWID;
            INSERT INTO "my ""odd"" table" VALUES ('O''Hara, "x"', 1, x'00ff'), ('é', 2, NULL);
            """
        )
        let store = try scratch.store()
        let set = try #require(store.model.sets.first)
        #expect(set.names.wire == "my__odd__table")
        let start = try store.position()
        try scratch.run(#"UPDATE "my ""odd"" table" SET "x'y" = NULL"#)
        #expect(
            try store.changes(set.names.wire, since: start) == [
                "(O'Hara, \"x\",1) O'Hara, \"x\"|1|binary([0, 255])", "(é,2) é|2|null",
            ]
        )
        let reader: [StoredEntity?] = try store.read {
            [
                try $0.entity(Key([.string("é"), .integer(2)]), in: set),
                try $0.entity(Key([.string("e"), .integer(2)]), in: set),
            ]
        }
        #expect(reader[0]?.values == [.string("é"), .integer(2), .null])
        #expect(reader[1] == nil)
    }

    @Test func `long values are left out of images, and U+0000 in a text does not cut it`() throws {
        let scratch = try Scratch("CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b TEXT)")
        let store = try scratch.store()
        try scratch.run("INSERT INTO t VALUES (1, printf('%.257c', 'x'), 'short'), (2, 'a' || char(0) || 'b', 'n')")
        let start = try store.position()
        try scratch.run("DELETE FROM t")
        #expect(try store.changes("t", since: start) == ["(1) 1|?|short", "(2) 2|?|n"])
    }

    @Test func `a thousand changes in one transaction are all listed, in pages too`() throws {
        let scratch = try Scratch(Self.people)
        let store = try scratch.store()
        let start = try store.position()
        try scratch.run(
            """
            BEGIN; WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 1099)
            INSERT INTO people(id, name) SELECT i, 'n' FROM n; COMMIT;
            """
        )
        #expect(try store.changes("people", since: start).count == 1000)
        let set = try #require(store.model[set: "people"])
        var keys: [Int64] = []
        var after: FeedPosition?
        repeat {
            after = try store.read { (reader: any StoreReader) throws in
                try reader.changes(ChangeQuery(set: set, since: start, after: after, limit: 300)) {
                    if case .integer(let id)? = $0.key?.values[0] { keys.append(id) }
                }
            }
        } while after != nil
        #expect(keys == Array(100...1099))
    }

    @Test func `a scope narrows the keys but not their first image`() throws {
        let scratch = try Scratch(Self.people)
        let store = try scratch.store(scopes: ["people": ["owner"]])
        let start = try store.position()
        try scratch.run(
            """
            UPDATE people SET owner = 'u3' WHERE id = 1; UPDATE people SET owner = 'u4' WHERE id = 1;
            UPDATE people SET name = 'x' WHERE id = 2; INSERT INTO people(id, owner) VALUES (5, 'u4');
            REPLACE INTO people VALUES (6, 'r', 'c@x', 'u7');
            """
        )
        func changes(_ owner: String) throws -> [String] {
            try store.changes("people", since: start, scope: .init(property: 3, value: .string(owner)))
        }
        #expect(try changes("u1") == ["(1) 1|Ann|a@x|u1", "(3) 3|Cid|c@x|u1"])
        #expect(try changes("u4") == ["(1) 1|Ann|a@x|u1", "(5) new"])
        #expect(try changes("u2") == ["(2) 2|Bob|b@x|u2"])
        #expect(try changes("u7") == ["(6) new"])
        #expect(try changes("u8") == [])
    }

    @Test func `scopes given later count from then on and lose nothing before`() throws {
        let scratch = try Scratch(Self.people)
        var store = try scratch.store()
        let start = try store.position()
        try scratch.run("UPDATE people SET name = 'x' WHERE id = 1")
        try store.close()
        store = try SQLiteStore(path: scratch.path, model: store.model, options: .init(scopes: ["people": ["owner"]]))
        let scope = ChangeQuery.Scope(property: 3, value: .string("u2"))
        // From before the scope was tracked everything is listed, from after it only what the scope names.
        #expect(try store.changes("people", since: start, scope: scope) == ["(1) 1|Ann|a@x|u1"])
        let later = try store.position()
        try scratch.run("UPDATE people SET name = 'y' WHERE id = 1; UPDATE people SET name = 'y' WHERE id = 2")
        #expect(try store.changes("people", since: later, scope: scope) == ["(2) 2|Bob|b@x|u2"])
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage

struct EpochTests {
    private static let schema = "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'one');"

    /// The code with which a position is refused, or `nil` when it is served.
    private func refusal(_ store: SQLiteStore, _ position: FeedPosition) throws -> StorageError.Code? {
        do {
            _ = try store.changes("t", since: position)
            return nil
        } catch let error as StorageError {
            return error.code
        }
    }

    private func triggers(_ scratch: Scratch) throws -> String {
        try scratch.rows("SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid").joined(separator: ";\n")
            + ";"
    }

    private static let rebuild = """
        BEGIN; CREATE TABLE new_t(id INTEGER PRIMARY KEY, a TEXT, b TEXT);
        INSERT INTO new_t(id, a) SELECT id, a FROM t; DROP TABLE t; ALTER TABLE new_t RENAME TO t;
        """

    @Test func `a rebuilt table without its triggers is captured again in a new epoch`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let old = try store.position()
        try scratch.run(Self.rebuild + "UPDATE t SET a = 'unseen'; COMMIT;", foreignKeys: false)
        #expect(try refusal(store, old) == .epochChanged)
        let new = try store.position()
        try scratch.run("UPDATE t SET a = 'seen'")
        #expect(try store.changes("t", since: new) == ["(1) 1|unseen"])
    }

    @Test func `a rebuilt table whose triggers were made again is noticed too`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let old = try store.position()
        let triggers = try triggers(scratch)
        try scratch.run(Self.rebuild + "UPDATE t SET a = 'unseen';" + triggers + "COMMIT;", foreignKeys: false)
        #expect(try refusal(store, old) == .epochChanged)
    }

    @Test func `triggers dropped and made again are noticed, also by a store opened later`() throws {
        let scratch = try Scratch(Self.schema)
        var store = try scratch.store()
        let old = try store.position()
        try store.close()
        let sql = try scratch.rows("SELECT sql FROM sqlite_schema WHERE name = 'tideline_update_t'")
        try scratch.run("DROP TRIGGER tideline_update_t; UPDATE t SET a = 'unseen'; \(sql[0]);")
        store = try SQLiteStore(path: scratch.path, model: store.model)
        #expect(try refusal(store, old) == .epochChanged)
    }

    @Test func `VACUUM, a new column and a plain index leave the epoch as it is`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let start = try store.position()
        try scratch.run("UPDATE t SET a = 'two'")
        try scratch.run("VACUUM")
        #expect(try store.changes("t", since: start) == ["(1) 1|one"])
        try scratch.run("ALTER TABLE t ADD COLUMN c; CREATE INDEX t_a ON t(a);")
        #expect(try store.changes("t", since: start) == ["(1) 1|one"])
        let later = try store.position()
        try scratch.run("UPDATE t SET a = 'three'")
        #expect(try store.changes("t", since: later) == ["(1) 1|two"])
    }

    @Test func `a new unique index, through which REPLACE could have passed, begins a new epoch`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let old = try store.position()
        try scratch.run("CREATE UNIQUE INDEX t_a ON t(a); REPLACE INTO t VALUES (2, 'one')")
        #expect(try refusal(store, old) == .epochChanged)
        let new = try store.position()
        try scratch.run("REPLACE INTO t VALUES (3, 'one')")
        #expect(try store.changes("t", since: new) == ["(2) 2|one", "(3) new"])
    }

    @Test func `a dropped table is named when positions are asked for`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        try scratch.run("DROP TABLE t")
        let error = #expect(throws: StorageError.self) { try store.position() }
        #expect(error?.code == .schemaChanged)
        #expect(error?.message.contains("t no longer exists") == true)
    }
}

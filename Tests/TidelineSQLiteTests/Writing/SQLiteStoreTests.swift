// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import GRDB
import Synchronization
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineStorageTesting

struct SQLiteStoreTests {
    private static let schema = """
        CREATE TABLE clients(id TEXT PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE orders(id INTEGER PRIMARY KEY, number TEXT UNIQUE, client TEXT REFERENCES clients(id),
            total DECIMAL(10,2));
        CREATE TRIGGER no13 BEFORE INSERT ON orders WHEN NEW.number = '13' BEGIN SELECT RAISE(ABORT, 'not thirteen'); END;
        CREATE TRIGGER no14 BEFORE INSERT ON orders WHEN NEW.number = '14' BEGIN SELECT RAISE(ROLLBACK, 'all back'); END;
        INSERT INTO clients VALUES ('k1', 'One'), ('k2', 'Two'); INSERT INTO orders VALUES (1, 'a', 'k1', 10.5);
        """

    private func error(_ store: SQLiteStore, _ body: (any StoreWriter) throws -> Void) -> StorageError? {
        #expect(throws: StorageError.self) { try store.write(body) }
    }

    @Test func `a trigger that refuses speaks for itself`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let orders = try #require(store.model[set: "orders"])
        let refusal = error(store) { _ = try $0.insert([1: .string("13")], into: orders) }
        #expect(refusal == StorageError(raised: "not thirteen", orElse: ""))
        #expect(refusal?.message == "not thirteen")
        #expect(try scratch.rows("SELECT count(*) FROM orders") == ["1"])
    }

    @Test(arguments: ["no_such_table VALUES (1)", "clients (no_such_column) VALUES (1)"])
    func `a trigger that names what is not there refuses the row, and the tables are what they were`(
        target: String
    ) throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let orders = try #require(store.model[set: "orders"])
        try scratch.run("CREATE TRIGGER broken AFTER INSERT ON orders BEGIN INSERT INTO \(target); END")
        #expect(error(store) { _ = try $0.insert([1: .string("b")], into: orders) }?.code == .constraint)
        #expect(try store.write { try $0.update(Key([.integer(1)]), [1: .string("c")], in: orders) })
        // Without the column of the model, they are not.
        try scratch.run("DROP TRIGGER broken; ALTER TABLE clients RENAME COLUMN name TO called")
        try scratch.run("CREATE TRIGGER broken AFTER INSERT ON orders BEGIN INSERT INTO \(target); END")
        #expect(error(store) { _ = try $0.insert([1: .string("b")], into: orders) }?.code == .schemaChanged)
    }

    @Test func `an integer key is told as it was given, and an insert that a trigger passes over is refused`() throws {
        let scratch = try Scratch(
            """
            CREATE TABLE shelves(aisle INT NOT NULL, place INT NOT NULL, name TEXT, PRIMARY KEY(aisle, place));
            CREATE TRIGGER none BEFORE INSERT ON shelves WHEN NEW.name = 'none' BEGIN SELECT RAISE(IGNORE); END;
            """
        )
        let store = try scratch.store()
        let shelves = try #require(store.model[set: "shelves"])
        func insert(_ place: Int64, _ name: String) throws -> Key {
            try store.write { writer in
                try writer.insert([0: .integer(4), 1: .integer(place), 2: .string(name)], into: shelves)
            }
        }
        #expect(try insert(7, "tea") == Key([.integer(4), .integer(7)]))
        let ignored = #expect(throws: StorageError.self) { _ = try insert(8, "none") }
        #expect(ignored?.code == .constraint)
        let taken = #expect(throws: StorageError.self) { _ = try insert(7, "coffee") }
        #expect(taken?.code == .duplicateKey)
        #expect(try scratch.rows("SELECT * FROM shelves") == ["4|7|tea"])
    }

    @Test func `answers that are old are found without a look at the others`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        func plan() throws -> [String] {
            try scratch.rows(
                "EXPLAIN QUERY PLAN DELETE FROM tideline_answers WHERE number IS NULL AND kept_at < 5"
            )
        }
        #expect(try plan().contains { $0.contains("tideline_answers_age (kept_at<?)") })
        // One that was published long ago gets the index when it is opened.
        try store.close()
        try scratch.run("DROP INDEX tideline_answers_age")
        #expect(try !plan().contains { $0.contains("tideline_answers_age") })
        try SQLiteStore(path: scratch.path, model: store.model).close()
        #expect(try plan().contains { $0.contains("tideline_answers_age (kept_at<?)") })
    }

    @Test func `whose doing changes are is kept from the next opening on, and forgotten with the log`() throws {
        let scratch = try Scratch(Self.schema)
        let before = try scratch.store()
        try before.close()
        try scratch.run("DROP TABLE tideline_authors")
        let store = try SQLiteStore(path: scratch.path, model: before.model)
        let orders = try #require(store.model[set: "orders"])
        for name in ["x", "y"] {
            try store.write { writer in
                let start = try writer.position()
                _ = try writer.insert([1: .string(name)], into: orders)
                try writer.setAuthor("c", since: start)
            }
        }
        #expect(try scratch.rows("SELECT previous, last, client FROM tideline_authors") == ["0|1|c", "1|2|c"])
        #expect(try store.compact(LogRetention(entries: 1), now: 0, limit: .max).removed == 1)
        #expect(try scratch.rows("SELECT previous, last, client FROM tideline_authors") == ["1|2|c"])
    }

    @Test func `whose doing changes were in an earlier publication says nothing of the next one`() throws {
        let scratch = try Scratch(Self.schema)
        try scratch.store().close()
        try SQLitePublisher.unpublish(path: scratch.path)
        #expect(try scratch.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'tideline%'") == [])
        // As a version leaves it that does not know the table.
        try scratch.run(
            """
            CREATE TABLE tideline_authors(last INTEGER PRIMARY KEY NOT NULL, previous INTEGER NOT NULL, client TEXT NOT NULL);
            INSERT INTO tideline_authors VALUES (1, 0, 'c')
            """
        )
        let store = try scratch.store()
        #expect(try scratch.rows("SELECT count(*) FROM tideline_authors") == ["0"])
        let clients = try #require(store.model[set: "clients"])
        let start = try store.position()
        try scratch.run("UPDATE clients SET name = 'other' WHERE id = 'k1'")
        let key = Key([.string("k1")])
        #expect(try store.read { try $0.isChanged(key, in: clients, since: start, exceptBy: "c") })
    }

    @Test func `whose doing changes were in a publication before that of an older version is forgotten once`() throws {
        let scratch = try Scratch(Self.schema)
        let first = try scratch.store()
        try first.close()
        // As an older version leaves it that unpublishes and publishes again: the log is younger than the authors.
        let log = try scratch.rows("SELECT sql FROM sqlite_schema WHERE tbl_name = 'tideline_log' ORDER BY rowid")
        try scratch.run("INSERT INTO tideline_authors VALUES (1, 0, 'c'); DROP TABLE tideline_log")
        try scratch.run(log.joined(separator: ";"))
        let second = try SQLiteStore(path: scratch.path, model: first.model)
        #expect(try scratch.rows("SELECT count(*) FROM tideline_authors") == ["0"])
        let orders = try #require(second.model[set: "orders"])
        try second.write { writer in
            let start = try writer.position()
            _ = try writer.insert([1: .string("x")], into: orders)
            try writer.setAuthor("c", since: start)
        }
        try second.close()
        try SQLiteStore(path: scratch.path, model: first.model).close()
        #expect(try scratch.rows("SELECT previous, last, client FROM tideline_authors") == ["0|1|c"])
    }

    @Test func `a trigger that rolls back everything fails the whole write`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let orders = try #require(store.model[set: "orders"])
        let failure = error(store) { writer in
            _ = try writer.insert([1: .string("b")], into: orders)
            _ = #expect(throws: StorageError.self) {
                try writer.savepoint { _ = try writer.insert([1: .string("14")], into: orders) }
            }
        }
        #expect(failure?.code == .constraint)
        #expect(try scratch.rows("SELECT count(*) FROM orders") == ["1"])
        #expect(try store.write { try $0.insert([1: .string("e")], into: orders) } == Key([.integer(2)]))
    }

    @Test func `a database that stays locked is busy, and readers do not wait`() throws {
        let scratch = try Scratch(Self.schema)
        let model = try scratch.publish().model
        let store = try SQLiteStore(path: scratch.path, model: model, options: .init(busyTimeout: .milliseconds(50)))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: scratch.path, configuration: configuration)
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        #expect(error(store) { _ = try $0.position() }?.code == .busy)
        _ = try store.position()
        try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try store.write { _ = try $0.position() }
    }

    /// Writes into `t` without a pause, as a program does on a disk that takes its time: the lock is free for moments.
    private final class GreedyWriter: Sendable {
        let isBegun = DispatchSemaphore(value: 0)
        private let isDone = Atomic(false)

        init(_ path: String) {
            Thread.detachNewThread { [self] in
                guard let other = try? DatabaseQueue(path: path) else { return }
                while !isDone.load(ordering: .acquiring) {
                    try? other.write {
                        try $0.execute(sql: "INSERT INTO t(a) VALUES ('other')")
                        isBegun.signal()
                        Thread.sleep(forTimeInterval: 0.02)
                    }
                }
            }
        }

        func stop() { isDone.store(true, ordering: .releasing) }
    }

    @Test func `who writes beside a program that leaves no pause gets its turn`() throws {
        let scratch = try Scratch("CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)")
        let model = try scratch.publish().model
        let store = try SQLiteStore(path: scratch.path, model: model, options: .init(busyTimeout: .seconds(5)))
        let set = try #require(model[set: "t"])
        let greedy = GreedyWriter(scratch.path)
        defer { greedy.stop() }
        greedy.isBegun.wait()
        for _ in 1...5 { _ = try store.write { try $0.insert([1: .string("own")], into: set) } }
        #expect(try scratch.rows("SELECT count(*) FROM t WHERE a = 'own'") == ["5"])
    }

    @Test func `a full database says so and keeps what it had`() throws {
        let scratch = try Scratch("CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)")
        let store = try scratch.store()
        let set = try #require(store.model[set: "t"])
        try store.write { _ = try $0.insert([1: .string("small")], into: set) }
        try store.limitPages(60)
        let failure = error(store) { writer in
            for _ in 0..<1000 { _ = try writer.insert([1: .string(String(repeating: "x", count: 2000))], into: set) }
        }
        #expect(failure?.code == .full)
        #expect(try scratch.rows("SELECT a FROM t") == ["small"])
        try store.write { _ = try $0.insert([1: .string("still works")], into: set) }
    }

    @Test func `a file that is no database, and one that was never published, are refused`() throws {
        let scratch = try Scratch()
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: scratch.path))
        let model = EntityModel(namespace: "Test", sets: [])
        let foreign = #expect(throws: StorageError.self) { try SQLiteStore(path: scratch.path, model: model) }
        #expect(foreign?.code == .corrupt)
        let plain = try Scratch(Self.schema)
        let unpublished = #expect(throws: StorageError.self) { try SQLiteStore(path: plain.path, model: model) }
        #expect(unpublished?.code == .unsupported)
        let missing = #expect(throws: StorageError.self) { try SQLiteStore(path: plain.path + "x", model: model) }
        #expect(missing?.code == .io)
    }

    @Test func `a damaged page is corrupt, not a crash`() throws {
        let scratch = try Scratch("CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)")
        try scratch.run(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO t SELECT i, printf('%.100c', 'x') FROM n"
        )
        let store = try scratch.store()
        let model = store.model
        try store.close()
        try scratch.run("PRAGMA wal_checkpoint(TRUNCATE)")
        let root = try #require(Int(try scratch.rows("SELECT rootpage FROM sqlite_schema WHERE name = 't'")[0]))
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: scratch.path))
        try file.seek(toOffset: UInt64((root - 1) * 4096))
        try file.write(contentsOf: Data(repeating: 0xee, count: 4096))
        try file.close()
        let damaged = try SQLiteStore(path: scratch.path, model: model)
        let set = try #require(model[set: "t"])
        let failure = #expect(throws: StorageError.self) {
            try damaged.read { try $0.read(ReadPlan(model: model, set: set), into: RowRecorder()) }
        }
        #expect(failure?.code == .corrupt)
    }

    @Test func `tables are made from a model and hold what it says`() throws {
        let scratch = try Scratch()
        let user = EntitySet(
            names: Names(wire: "Users"),
            type: EntityType(
                names: Names(wire: "User"),
                properties: [
                    Property(names: Names(wire: "Id"), type: .int64, isNullable: false, generation: .onInsert),
                    Property(
                        names: Names(wire: "Name"),
                        type: .string,
                        isNullable: false,
                        defaultValue: .string("it's")
                    ),
                    Property(names: Names(wire: "Born"), type: .dateTimeOffset, precision: 3),
                ],
                key: [0],
                uniqueKeys: [[1]]
            )
        )
        let model = EntityModel(namespace: "Control", sets: [user])
        try SQLiteSchema.create(model, path: scratch.path)
        try SQLiteSchema.create(model, path: scratch.path)
        let store = try SQLiteStore(path: scratch.path, model: model, options: .untracked)
        let moment = Value.dateTimeOffset(DateTimeOffset(seconds: 0, nanoseconds: 5_000_000))
        let key = try store.write { try $0.insert([2: moment], into: user) }
        #expect(try store.read { try $0.entity(key, in: user) }?.values == [.integer(1), .string("it's"), moment])
        #expect(try scratch.rows("SELECT Born FROM Users") == ["1970-01-01T00:00:00.005Z"])
        #expect(error(store) { _ = try $0.insert([:], into: user) }?.code == .duplicateValue)
    }
}

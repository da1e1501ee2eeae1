// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage

/// A backup that takes the place of a database which cannot tell what it has given.
struct LostDatabaseTests {
    /// What became of the database.
    enum Loss: CaseIterable {
        case missing, empty, text, cut, damaged, unpublished, dropped, capture, keys

        var found: ReplacedDatabase {
            switch self {
            case .missing: .missing
            case .text, .cut: .unreadable
            case .empty, .unpublished: .unpublished
            case .damaged, .capture, .keys: .damaged
            case .dropped: .published
            }
        }
    }

    private static let tables = ["t", "counted"]
    /// A million or two beyond the keys of the backup, and one more.
    private static let next: ClosedRange<Int64> = 1_000_003...2_000_003
    private static let schema = """
        CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT);
        CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT);
        CREATE TABLE named(code TEXT PRIMARY KEY, a TEXT);
        INSERT INTO t(a) VALUES ('one'), ('two');
        INSERT INTO counted(a) VALUES ('one'), ('two');
        """

    private let scratch: Scratch
    private let model: EntityModel
    private var file: String { scratch.path + ".backup" }
    private var kept: String { scratch.path + ".kept" }

    /// A backup with the keys 1 and 2 of each table; 3 is given after it.
    init() throws {
        scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        model = store.model
        try SQLiteBackup.write(scratch.path, to: scratch.path + ".backup")
        for table in Self.tables { _ = try Self.insert(into: table, store) }
        try store.close()
        try scratch.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private static func insert(into table: String, _ store: SQLiteStore) throws -> Int64 {
        let set = try #require(store.model[set: table])
        let key = try store.write { try $0.insert([1: .string("new")], into: set) }
        guard case .integer(let number)? = key.values.first else {
            Issue.record("The key is \(key).")
            return 0
        }
        return number
    }

    /// The key that another program's row gets.
    private func insertByProgram(into table: String) throws -> Int64 {
        try scratch.run("INSERT INTO \(table)(a) VALUES ('other')")
        let keys = try scratch.rows("SELECT id FROM \(table) WHERE a = 'other' ORDER BY rowid DESC LIMIT 1")
        let key = keys.first.flatMap { Int64($0) }
        return try #require(key)
    }

    private func reuse(_ key: Int64, of table: String, _ store: SQLiteStore) throws -> UInt32 {
        let set = try #require(store.model[set: table])
        let found = try store.read { try $0.entity(Key([.integer(key)]), in: set) }
        return try #require(found).etag.reuse
    }

    private func lose(_ loss: Loss) throws {
        let place = URL(filePath: scratch.path)
        switch loss {
        case .missing: try FileManager.default.removeItem(at: place)
        case .empty: try Data().write(to: place)
        case .text: try Data("no database at all, but long enough".utf8).write(to: place)
        case .cut: try Data(contentsOf: place).prefix(5_000).write(to: place)
        case .unpublished: try scratch.run("DROP TABLE tideline_state")
        case .dropped: try scratch.run("DROP TABLE t; DROP TABLE counted")
        case .capture: try scratch.run("DROP TABLE tideline_capture")
        case .keys: try scratch.run("DROP TABLE tideline_keys")
        case .damaged:
            let root = try #require(Int(try scratch.rows("SELECT rootpage FROM sqlite_schema WHERE name = 't'")[0]))
            let handle = try #require(FileHandle(forUpdatingAtPath: scratch.path))
            try handle.seek(toOffset: UInt64((root - 1) * 4096))
            try handle.write(contentsOf: Data(repeating: 0xFF, count: 200))
            try handle.close()
        }
    }

    @Test(arguments: Loss.allCases)
    func `what the service inserts after it gets no key of the million that may have been given`(loss: Loss) throws {
        try lose(loss)
        let found = try SQLiteBackup.restore(file, into: scratch.path, model: model, keeping: kept)
        #expect(found == loss.found)
        let store = try SQLiteStore(path: scratch.path, model: model)
        for table in Self.tables {
            let first = try Self.insert(into: table, store)
            #expect(Self.next.contains(first))
            #expect(try Self.insert(into: table, store) == first + 1)
            // From here on another program gets no lower one either.
            #expect(try insertByProgram(into: table) == first + 2)
            // A statement that names the key means the row that had it.
            try scratch.run("INSERT INTO \(table)(id, a) VALUES (9, 'named')")
            // None of them is a second use.
            for key in [1, 2, 9, first, first + 1, first + 2] as [Int64] {
                #expect(try reuse(key, of: table, store) == 0)
            }
        }
        #expect(try scratch.rows("SELECT table_name FROM tideline_keys ORDER BY 1") == ["t"])
        #expect(try scratch.rows("PRAGMA integrity_check") == ["ok"])
    }

    @Test(arguments: Loss.allCases)
    func `a key that SQLite chooses for another program after it is noted as a second use`(loss: Loss) throws {
        try lose(loss)
        try SQLiteBackup.restore(file, into: scratch.path, model: model, keeping: kept)
        #expect(try insertByProgram(into: "t") == 3)
        let counted = try insertByProgram(into: "counted")
        #expect(Self.next.contains(counted))
        let store = try SQLiteStore(path: scratch.path, model: model)
        #expect(try reuse(3, of: "t", store) > 0)
        #expect(try reuse(counted, of: "counted", store) == 0)
        let next = try Self.insert(into: "t", store)
        #expect(Self.next.contains(next))
    }

    @Test func `the same backup over the next loss, and the same writes, give neither a key again nor its use`() throws
    {
        var keys: [[Int64]] = []
        var uses: [UInt32] = []
        for _ in 0..<2 {
            try lose(.missing)
            try SQLiteBackup.restore(file, into: scratch.path, model: model)
            #expect(try insertByProgram(into: "t") == 3)
            let store = try SQLiteStore(path: scratch.path, model: model)
            keys.append(try Self.tables.map { try Self.insert(into: $0, store) })
            uses.append(try reuse(3, of: "t", store))
            try store.close()
        }
        // By chance: one of a million may be the same.
        #expect(keys[0][0] != keys[1][0] && keys[0][1] != keys[1][1])
        #expect(uses[0] != uses[1])
    }

    @Test func `a later backup over the next loss leaves out a million more`() throws {
        try lose(.missing)
        try SQLiteBackup.restore(file, into: scratch.path, model: model)
        var store = try SQLiteStore(path: scratch.path, model: model)
        let first = try Self.tables.map { try Self.insert(into: $0, store) }
        try store.close()
        try SQLiteBackup.write(scratch.path, to: scratch.path + ".later")
        try lose(.unpublished)
        try SQLiteBackup.restore(scratch.path + ".later", into: scratch.path, model: model)
        store = try SQLiteStore(path: scratch.path, model: model)
        for (table, key) in zip(Self.tables, first) {
            let next = try Self.insert(into: table, store)
            #expect((key + 1_000_001...key + 2_000_001).contains(next))
        }
    }

    @Test func `where the log was dropped its numbers are not given again either`() throws {
        var uses: [UInt32] = []
        for _ in 0..<2 {
            try scratch.run("DROP TABLE tideline_log")
            #expect(try SQLiteBackup.restore(file, into: scratch.path, model: model) == .published)
            #expect(try insertByProgram(into: "t") == 3)
            let store = try SQLiteStore(path: scratch.path, model: model)
            uses.append(try reuse(3, of: "t", store))
            try store.close()
        }
        #expect(uses[0] > 0 && uses[1] > 0 && uses[0] != uses[1])
    }

    @Test func `where the numbers end none is left out`() throws {
        let top = Int64.max - 1_000_000
        try scratch.run("INSERT INTO counted(id, a) VALUES (\(top), 'high')")
        try SQLiteBackup.write(scratch.path, to: scratch.path + ".high")
        try lose(.unpublished)
        try SQLiteBackup.restore(scratch.path + ".high", into: scratch.path, model: model)
        #expect(try insertByProgram(into: "counted") == top + 1)
    }

    @Test func `a key that SQLite gives again before a way back and after it are two uses`() throws {
        try SQLiteBackup.restore(file, into: scratch.path, model: model)
        try scratch.run("DELETE FROM t WHERE id = 2")
        try SQLiteBackup.write(scratch.path, to: scratch.path + ".later")
        var uses: [UInt32] = []
        for _ in 0..<2 {
            try scratch.run("INSERT INTO t(a) VALUES ('other')")
            let store = try SQLiteStore(path: scratch.path, model: model)
            uses.append(try reuse(2, of: "t", store))
            try store.close()
            try SQLiteBackup.restore(scratch.path + ".later", into: scratch.path, model: model)
        }
        #expect(uses[0] > 0 && uses[1] > uses[0])
    }

    @Test func `what was left out stays so when a later way back can read the database`() throws {
        try lose(.missing)
        try SQLiteBackup.restore(file, into: scratch.path, model: model)
        var store = try SQLiteStore(path: scratch.path, model: model)
        let first = try Self.tables.map { try Self.insert(into: $0, store) }
        try store.close()
        #expect(try SQLiteBackup.restore(file, into: scratch.path, model: model) == .published)
        store = try SQLiteStore(path: scratch.path, model: model)
        for (table, key) in zip(Self.tables, first) { #expect(try Self.insert(into: table, store) == key + 1) }
    }

    @Test func `a store that is open meanwhile leaves them out too, and misses no capture`() throws {
        func epoch() throws -> [String] {
            try scratch.rows("SELECT hex(value) FROM tideline_state WHERE name = 'epoch'")
        }
        let store = try SQLiteStore(path: scratch.path, model: model)
        try scratch.run("DROP TABLE tideline_state")
        try SQLiteBackup.restore(file, into: scratch.path, model: model)
        let begun = try epoch()
        for table in Self.tables {
            let start = try store.position()
            let key = try Self.insert(into: table, store)
            #expect(Self.next.contains(key))
            #expect(try reuse(key, of: table, store) == 0)
            #expect(try store.changes(table, since: start) == ["(\(key)) new"])
        }
        #expect(try epoch() == begun)
    }

    @Test func `what lay there is kept as it was, and its permissions go on`() throws {
        try lose(.text)
        try Data("log".utf8).write(to: URL(filePath: scratch.path + "-wal"))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: scratch.path)
        try SQLiteBackup.restore(file, into: scratch.path, model: model, keeping: kept)
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == "no database at all, but long enough")
        #expect(try String(contentsOfFile: kept + "-wal", encoding: .utf8) == "log")
        let mode = try FileManager.default.attributesOfItem(atPath: scratch.path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try scratch.rows("SELECT a FROM t ORDER BY id") == ["one", "two"])
    }

    @Test func `what is no database stays where nothing can be kept, and where the copy is refused`() throws {
        try lose(.text)
        func text() throws -> String { try String(contentsOfFile: scratch.path, encoding: .utf8) }
        let before = try text()
        #expect { try SQLiteBackup.restore(file, into: scratch.path, model: model) } throws: {
            ($0 as? StorageError)?.code == .corrupt
        }
        #expect(try text() == before)
        let other = try Scratch(Self.schema)
        #expect(throws: StorageError(.unsupported, message: "The backup is none of a published database.")) {
            try SQLiteBackup.restore(other.path, into: scratch.path, model: model, keeping: kept)
        }
        #expect(try text() == before)
        #expect(!FileManager.default.fileExists(atPath: kept))
        // There is something in the place of what would be moved: all goes back.
        try Data("log".utf8).write(to: URL(filePath: scratch.path + "-wal"))
        try Data("other".utf8).write(to: URL(filePath: kept + "-wal"))
        #expect { try SQLiteBackup.restore(file, into: scratch.path, model: model, keeping: kept) } throws: {
            ($0 as? StorageError)?.code == .io
        }
        #expect(try text() == before)
        #expect(try String(contentsOfFile: kept + "-wal", encoding: .utf8) == "other")
        #expect(!FileManager.default.fileExists(atPath: kept))
    }
}

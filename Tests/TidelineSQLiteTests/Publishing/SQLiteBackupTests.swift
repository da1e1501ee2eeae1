// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Synchronization
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage

struct SQLiteBackupTests {
    private static let schema = """
        CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT NOT NULL);
        INSERT INTO notes VALUES (1, 'one'), (2, 'two');
        """

    private final class Progress: Sendable {
        let isBegun = Atomic(false)
        let isDone = Atomic(false)
    }

    private let scratch: Scratch
    private let store: SQLiteStore
    private var file: String { scratch.path + ".backup" }

    init() throws {
        scratch = try Scratch(Self.schema)
        store = try scratch.store()
    }

    private func rows(of path: String) throws -> [String] {
        try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: "SELECT text FROM notes ORDER BY id") }
    }

    private func refusal(_ position: FeedPosition) -> StorageError.Code? {
        do {
            _ = try store.read { try $0.changedSets(since: position) }
            return nil
        } catch {
            return (error as? StorageError)?.code
        }
    }

    @Test func `a backup is one file with what was committed, for its owner alone, and overwrites none`() throws {
        try SQLiteBackup.write(scratch.path, to: file)
        try scratch.run("UPDATE notes SET text = 'later' WHERE id = 1")
        #expect(try rows(of: file) == ["one", "two"])
        #expect(try rows(of: scratch.path) == ["later", "two"])
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted()
        #expect(names.filter { $0.contains("backup") } == ["data.sqlite.backup"])
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(throws: StorageError(.unsupported, message: "There is a file '\(file)' already.")) {
            try SQLiteBackup.write(scratch.path, to: file)
        }
    }

    @Test func `a backup that is given up leaves no file`() throws {
        // More pages than are copied in one step.
        try scratch.run("INSERT INTO notes VALUES (3, hex(zeroblob(4000000)))")
        let asked = Mutex(0)
        #expect(throws: CancellationError.self) {
            try SQLiteBackup.write(
                scratch.path,
                to: file,
                isCancelled: {
                    asked.withLock {
                        $0 += 1
                        return true
                    }
                }
            )
        }
        let times = asked.withLock { $0 }
        #expect(times == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
        #expect(names.filter { $0.contains("backup") } == [])
        try SQLiteBackup.write(scratch.path, to: file)
        #expect(try rows(of: file).map(\.utf8.count) == [3, 3, 8_000_000])
    }

    @Test func `a writer goes on while a backup is written`() throws {
        try store.write { writer in
            try SQLiteBackup.write(scratch.path, to: file)
            _ = try writer.delete(Key([.integer(1)]), in: try #require(store.model[set: "notes"]))
        }
        #expect(try rows(of: file) == ["one", "two"])
        #expect(try rows(of: scratch.path) == ["two"])
    }

    @Test func `a restored database has the rows of the backup, in an epoch of its own, for those who have it open`()
        throws
    {
        let early = try store.position()
        try SQLiteBackup.write(scratch.path, to: file)
        try scratch.run("UPDATE notes SET text = 'later' WHERE id = 1; INSERT INTO notes VALUES (3, 'three')")
        let ahead = try store.position()
        try SQLiteBackup.restore(file, into: scratch.path, model: store.model)
        let notes = try #require(store.model[set: "notes"])
        #expect(
            try store.read { try $0.entity(Key([.integer(1)]), in: notes)?.values } == [.integer(1), .string("one")]
        )
        #expect(try store.read { try $0.entity(Key([.integer(3)]), in: notes) } == nil)
        #expect(refusal(early) == .epochChanged && refusal(ahead) == .epochChanged)
        let now = try store.position()
        _ = try store.write { try $0.delete(Key([.integer(2)]), in: notes) }
        #expect(try store.changes("notes", since: now) == ["(2) 2|two"])
        #expect(try scratch.rows("PRAGMA integrity_check") == ["ok"])
        #expect(try scratch.rows("PRAGMA journal_mode") == ["wal"])
        // The backup itself is as it was, so it can be restored again.
        #expect(try rows(of: file) == ["one", "two"])
        try SQLiteBackup.restore(file, into: scratch.path, model: store.model)
        #expect(refusal(now) == .epochChanged)
        #expect(try rows(of: scratch.path) == ["one", "two"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `what is written until a database is restored is kept, and no key is given twice`() async throws {
        let scratch = try Scratch("CREATE TABLE logs(id INTEGER PRIMARY KEY AUTOINCREMENT, filler TEXT NOT NULL)")
        let store = try scratch.store()
        try scratch.run(
            """
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            INSERT INTO logs(filler) SELECT hex(randomblob(500)) FROM n
            """
        )
        let file = scratch.path + ".backup"
        try SQLiteBackup.write(scratch.path, to: file)
        let progress = Progress()
        let written = Task.detached { [path = scratch.path] in
            var configuration = Configuration()
            configuration.busyMode = .timeout(20)
            let other = try DatabaseQueue(path: path, configuration: configuration)
            var ids: [Int64] = []
            // Also where it fails: nobody waits for its beginning then.
            defer { progress.isBegun.store(true, ordering: .releasing) }
            var rest = 50
            while rest > 0 {
                if progress.isDone.load(ordering: .acquiring) { rest -= 1 }
                ids.append(
                    try other.write {
                        try $0.execute(sql: "INSERT INTO logs(filler) VALUES ('other')")
                        return $0.lastInsertedRowID
                    }
                )
                progress.isBegun.store(true, ordering: .releasing)
            }
            return ids
        }
        let kept = scratch.path + ".kept"
        do {
            defer { progress.isDone.store(true, ordering: .releasing) }
            while !progress.isBegun.load(ordering: .acquiring) {
                try Task.checkCancellation()
                await Task.yield()
            }
            try SQLiteBackup.restore(file, into: scratch.path, model: store.model, keeping: kept)
        }
        let ids = try await written.value
        #expect(Set(ids).count == ids.count)
        func others(_ path: String) throws -> Set<Int64> {
            try DatabaseQueue(path: path).read {
                try Int64.fetchSet($0, sql: "SELECT id FROM logs WHERE filler = 'other'")
            }
        }
        #expect(try others(kept).union(others(scratch.path)) == Set(ids))
        #expect(try scratch.rows("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `a damaged database is restored, and kept as it was`() throws {
        try SQLiteBackup.write(scratch.path, to: file)
        let damaged = try Scratch(Self.schema)
        let model = try damaged.store().model
        try damaged.run("PRAGMA wal_checkpoint(TRUNCATE)")
        let root = try #require(Int(try damaged.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'notes'")[0]))
        let handle = try #require(FileHandle(forUpdatingAtPath: damaged.path))
        try handle.seek(toOffset: UInt64((root - 1) * 4096))
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 200))
        try handle.close()
        let kept = damaged.path + ".kept"
        try SQLiteBackup.restore(file, into: damaged.path, model: model, keeping: kept)
        #expect(try rows(of: damaged.path) == ["one", "two"])
        #expect(throws: DatabaseError.self) { try rows(of: kept) }
    }

    @Test func `a backup with pages of another size is restored too`() throws {
        try SQLiteBackup.write(scratch.path, to: file)
        try DatabaseQueue(path: file).writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA page_size = 8192; VACUUM; UPDATE notes SET text = 'wide' WHERE id = 2")
        }
        try scratch.run("DELETE FROM notes")
        try SQLiteBackup.restore(file, into: scratch.path, model: store.model)
        #expect(try rows(of: scratch.path) == ["one", "wide"])
        #expect(try scratch.rows("PRAGMA page_size") == ["4096"])
        #expect(try scratch.rows("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `what is no backup of the domain is refused, and nothing is changed`() throws {
        let other = try Scratch(Self.schema)
        #expect(throws: StorageError(.unsupported, message: "The backup is none of a published database.")) {
            try SQLiteBackup.restore(other.path, into: scratch.path, model: store.model)
        }
        let third = try Scratch("CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT NOT NULL)")
        try third.publish()
        #expect { try SQLiteBackup.restore(third.path, into: scratch.path, model: store.model) } throws: {
            ($0 as? StorageError)?.code == .schemaChanged
        }
        try Data("no database at all, but long enough".utf8).write(to: URL(fileURLWithPath: file))
        #expect { try SQLiteBackup.restore(file, into: scratch.path, model: store.model) } throws: {
            ($0 as? StorageError)?.code == .corrupt
        }
        #expect(try rows(of: scratch.path) == ["one", "two"])
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
        #expect(!names.contains { $0.contains("tmp-") })
    }

    @Test func `what killed processes left of a copy goes with the next one to that place, and nothing else does`()
        throws
    {
        let left = [
            // The second was killed before it had made the draft.
            "data.sqlite.tmp-7", "data.sqlite.tmp-7-journal", "data.sqlite.tmp-7-wal", "data.sqlite.tmp-7-shm",
            "data.sqlite.tmp-7.lock", "data.sqlite.tmp-4294967295.lock",
        ]
        let running = ["data.sqlite.tmp-8", "data.sqlite.tmp-8.lock"]
        let elsewhere = ["data.sqlite.backup.tmp-7", "data.sqlite.backup.tmp-7.lock"]
        // Of a copy of another database, and what somebody else named so.
        let others = [
            "other.sqlite.tmp-7.lock", "data.sqlite.tmp-4294967296.lock", "data.sqlite.tmp-+9.lock",
            "data.sqlite.tmp-notes.lock", "data.sqlite.tmp-10", "data.sqlite.tmp-7.lock-old", "data.sqlite.tmp-.lock",
        ]
        let copy = scratch.path + ".copy"
        try SQLiteBackup.write(scratch.path, to: copy)
        for name in left + running + elsewhere + others {
            try Data("x".utf8).write(to: scratch.folder.appendingPathComponent(name))
        }
        func drafts() throws -> Set<String> {
            let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
            return Set(names.filter { $0.contains(".tmp-") })
        }
        // A lock is all that tells it from the others: another container may have it, with any number of a process.
        let holder = try #require(
            FileHandle(forUpdatingAtPath: scratch.folder.appendingPathComponent("data.sqlite.tmp-8.lock").path)
        )
        try #require(flock(holder.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        try SQLiteBackup.restore(copy, into: scratch.path, model: store.model)
        #expect(try drafts() == Set(running + elsewhere + others))
        try SQLiteBackup.write(scratch.path, to: file)
        #expect(try drafts() == Set(running + others))
        try holder.close()
        try SQLiteBackup.restore(copy, into: scratch.path, model: store.model)
        #expect(try drafts() == Set(others))
        #expect(try rows(of: scratch.path) == ["one", "two"])
    }
}

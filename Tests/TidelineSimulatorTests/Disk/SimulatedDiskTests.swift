// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Testing
import TidelineSimulator
import TidelineTestSupport

@Suite(.ownThread)
struct SimulatedDiskTests {
    static let keepings: [DiskKeeping] = [.all, .synced, .torn] + (1...2).map { .some(seed: $0) }

    @Test func `what was committed with full syncs survives each crash`() throws {
        #expect(try PairWork().crashed(Self.keepings, isDurable: true) == [])
    }

    @Test func `without full syncs the newest may go with the power and the file is whole`() throws {
        let work = PairWork(synchronous: "NORMAL")
        #expect(try work.crashed(Self.keepings, isDurable: false) == [])
        #expect(try work.crashed([.synced], isDurable: true) != [], "nothing was lost: the disk keeps too much")
    }

    @Test func `a killed process loses nothing that was committed, synced or not`() throws {
        #expect(try PairWork(synchronous: "OFF").crashed([.all], isDurable: true) == [])
    }

    @Test func `a rollback journal gives the same when its removal is synced`() throws {
        let work = PairWork(journal: "DELETE", synchronous: "EXTRA", checkpoints: [])
        #expect(try work.crashed(Self.keepings, isDurable: true) == [])
    }

    @Test func `a removed journal that comes back takes the last transaction away`() throws {
        // Documented for FULL without EXTRA: the names in the folder are part of what the power takes.
        let work = PairWork(journal: "DELETE", synchronous: "FULL", checkpoints: [])
        #expect(try work.crashed([.synced], isDurable: true) != [])
        #expect(try work.crashed(Self.keepings, isDurable: false) == [])
    }

    @Test func `a disk whose syncs do nothing is found out`() throws {
        #expect(try PairWork().crashed([.synced], isDurable: true, ignoresSyncs: true) != [])
        // Pages in the database whose log is gone: seen as damage, or as half a transaction.
        let mixed: [DiskKeeping] = (1...6).map { .some(seed: $0) }
        #expect(try PairWork().crashed(mixed, isDurable: false, ignoresSyncs: true) != [])
    }

    @Test(arguments: [DiskFault.full, .failure])
    func `a write that fails is told, loses nothing and can be done again`(fault: DiskFault) throws {
        let work = PairWork()
        let counted = try SimulatedDisk()
        #expect(work.run(on: counted).error == nil)
        var codes: Set<Int32> = []
        for index in counted.operations.indices {
            let disk = try SimulatedDisk()
            disk.plan(fault, at: index + 1)
            let (acknowledged, error) = work.run(on: disk)
            if let error { codes.insert(error.resultCode.rawValue) }
            disk.beginCounting()
            let point = "\(fault) at \(index + 1), \(counted.operations[index])"
            let found = try work.look(at: disk)
            #expect(found.isWhole && found.isEven, "\(point)")
            #expect(found.pairs >= acknowledged, "\(point)")
            #expect(found.pairs <= acknowledged + 1, "\(point)")
            let queue = try work.open(disk)
            let next = found.pairs + 1
            try queue.writeWithoutTransaction { database in
                try work.makeTables(database)
                try work.write(next, database)
            }
            try queue.close()
            #expect(try work.look(at: disk) == PairWork.Found(pairs: next, isWhole: true, isEven: true), "\(point)")
        }
        // SQLITE_IOERR 10, SQLITE_FULL 13, SQLITE_CANTOPEN 14.
        #expect(codes == (fault == .full ? [13, 14] : [10, 14]))
    }

    @Test func `a full disk stays full until it is relieved`() throws {
        let (disk, work) = (try SimulatedDisk(), PairWork(transactions: 1))
        #expect(work.run(on: disk).error == nil)
        let queue = try work.open(disk)
        disk.plan(.full, at: disk.operations.count + 1)
        for _ in 0..<2 {
            #expect(throws: (any Error).self) { try queue.writeWithoutTransaction { try work.write(2, $0) } }
        }
        disk.relieve()
        try queue.writeWithoutTransaction { try work.write(2, $0) }
        try queue.close()
        #expect(try work.look(at: disk).pairs == 2)
    }

    @Test func `what was open before a crash changes nothing after it`() throws {
        let (disk, work) = (try SimulatedDisk(), PairWork(checkpoints: [], transactions: 2))
        #expect(work.run(on: disk).error == nil)
        let dead = try work.open(disk)
        try dead.writeWithoutTransaction { database in
            try work.write(3, database)
            // So that it has nothing left to do at its end but to remove the log.
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        disk.crash(keeping: .all)
        #expect(throws: DatabaseError.self) { try dead.writeWithoutTransaction { try work.write(4, $0) } }
        try disk.restart()
        let alive = try work.open(disk)
        try alive.writeWithoutTransaction { try work.write(4, $0) }
        let before = try content(of: disk)
        #expect(throws: DatabaseError.self) { try dead.writeWithoutTransaction { try work.write(4, $0) } }
        try? dead.close()
        #expect(try content(of: disk) == before)
        try alive.writeWithoutTransaction { try work.write(5, $0) }
        try alive.close()
        #expect(try work.look(at: disk) == PairWork.Found(pairs: 5, isWhole: true, isEven: true))
    }

    @Test func `what the program does to files after a crash is undone by the restart`() throws {
        let (disk, work) = (try SimulatedDisk(), PairWork(transactions: 1))
        #expect(work.run(on: disk).error == nil)
        disk.crash(keeping: .synced)
        try FileManager.default.removeItem(atPath: disk.folder + "/pairs.sqlite")
        try Data("left".utf8).write(to: URL(fileURLWithPath: disk.folder + "/left"))
        try disk.restart()
        #expect(try work.look(at: disk).pairs == 1)
        #expect(!FileManager.default.fileExists(atPath: disk.folder + "/left"))
    }

    @Test func `a log that SQLite removed does not come back when the program removed its database`() throws {
        for removes in [false, true] {
            let (disk, work) = (try SimulatedDisk(), PairWork(transactions: 1))
            #expect(work.run(on: disk).error == nil)
            let path = disk.folder + "/pairs.sqlite"
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            if removes { try FileManager.default.removeItem(atPath: path) }
            disk.crash(keeping: .synced)
            try disk.restart()
            #expect(FileManager.default.fileExists(atPath: path + "-wal") == !removes)
        }
    }

    @Test func `files elsewhere are none of its business`() throws {
        let disk = try SimulatedDisk()
        let path = NSTemporaryDirectory() + "tideline-elsewhere-\(UUID().uuidString).sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        disk.plan(.crash(.all), at: 1)
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "CREATE TABLE A (N); INSERT INTO A VALUES (1)") }
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT N FROM A") } == 1)
        try queue.close()
        #expect(disk.operations == [])
        #expect(!disk.isCrashed)
    }

    @Test func `operations are told by file and place`() throws {
        let (disk, work) = (try SimulatedDisk(), PairWork(checkpoints: [], transactions: 1))
        #expect(work.run(on: disk).error == nil)
        disk.beginCounting()
        let queue = try work.open(disk)
        try queue.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM B") }
        let texts = disk.operations.map(\.description)
        #expect(texts.first == "open pairs.sqlite")
        #expect(texts.contains("write 32 bytes at 0 of pairs.sqlite-wal"))
        #expect(texts.last == "sync pairs.sqlite-wal")
        try queue.close()
        #expect(disk.operations.last?.description == "delete pairs.sqlite-wal")
    }

    private func content(of disk: SimulatedDisk) throws -> [String: Data] {
        var content: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: disk.folder) where !name.hasSuffix("-shm") {
            content[name] = try Data(contentsOf: URL(fileURLWithPath: "\(disk.folder)/\(name)"))
        }
        return content
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Synchronization
import Testing
import TidelineStorage
import TidelineTestSupport

@testable import TidelineSQLite

struct SQLiteReadersTests {
    private struct Stop: Error {}

    private final class Opened: Sendable {
        let count = Mutex(0)
    }

    private let opened = Opened()

    private func readers(_ scratch: Scratch, most: Int) -> SQLiteReaders {
        let (path, opened) = (scratch.path, opened)
        return SQLiteReaders(most: most) {
            opened.count.withLock { $0 += 1 }
            return try DatabaseQueue(path: path)
        }
    }

    private func number(_ connection: Database) throws -> Int64 {
        let statement = try PreparedStatement(connection, "SELECT count(*) FROM t")
        return try statement.step() ? statement.integer(0) : -1
    }

    @Test func `reads one after the other share a connection`() throws {
        let scratch = try Scratch("CREATE TABLE t(a)")
        let readers = readers(scratch, most: 4)
        for _ in 0..<5 { #expect(try readers.read(number) == 0) }
        #expect(opened.count.withLock { $0 } == 1)
        let inner = try readers.read { _ in try readers.read(number) }
        #expect(inner == 0)
        #expect(opened.count.withLock { $0 } == 2)
    }

    /// Reads with `depth` connections at once.
    private func number(with depth: Int, of readers: SQLiteReaders) throws -> Int64 {
        try readers.read { depth == 1 ? try number($0) : try number(with: depth - 1, of: readers) }
    }

    @Test(.covers("DA-18")) func `200 reads at once share the connections, and each comes back`() throws {
        let scratch = try Scratch("CREATE TABLE t(a)")
        let readers = readers(scratch, most: 4)
        let results = Crowd.run(200) { turn, awaitAll in
            do {
                let rows = try readers.read { connection in
                    // Who has a connection keeps it until all want one.
                    awaitAll()
                    if turn % 10 == 0 { throw Stop() }
                    return try number(connection)
                }
                return "\(rows) rows"
            } catch is Stop {
                return "stopped"
            }
        }
        #expect(results == ["0 rows": 180, "stopped": 20])
        let all = try number(with: 4, of: readers)
        #expect(all == 0)
        #expect(opened.count.withLock(\.self) == 4)
    }

    @Test func `a read sees one moment of the file`() throws {
        let scratch = try Scratch("PRAGMA journal_mode = wal; CREATE TABLE t(a)")
        let readers = readers(scratch, most: 2)
        let (before, after) = try readers.read { connection in
            let before = try number(connection)
            try scratch.run("INSERT INTO t VALUES (1)")
            return (before, try number(connection))
        }
        #expect(before == 0 && after == 0)
        #expect(try readers.read(number) == 1)
    }

    @Test func `a read that fails ends its transaction`() throws {
        let scratch = try Scratch("CREATE TABLE t(a)")
        let readers = readers(scratch, most: 1)
        #expect(throws: Stop.self) { try readers.read { _ in throw Stop() } }
        try scratch.run("INSERT INTO t VALUES (1)")
        #expect(try readers.read(number) == 1)
        #expect(opened.count.withLock { $0 } == 1)
    }

    @Test func `a connection that cannot be opened takes no turn`() throws {
        let readers = SQLiteReaders(most: 1) { throw Stop() }
        for _ in 0..<3 { #expect(throws: Stop.self) { try readers.read { _ in 0 } } }
    }

    @Test func `nothing is read after the end`() throws {
        let scratch = try Scratch("CREATE TABLE t(a)")
        let readers = readers(scratch, most: 1)
        try readers.read { _ in try readers.close() }
        let failure = #expect(throws: StorageError.self) { try readers.read(number) }
        #expect(failure?.code == .io)
    }

    @Test func `what is released is opened anew`() throws {
        let scratch = try Scratch("CREATE TABLE t(a)")
        let readers = readers(scratch, most: 3)
        for _ in 0..<2 {
            #expect(try readers.use(number) == 0)
            try readers.release()
        }
        #expect(try readers.read(number) == 0)
        #expect(opened.count.withLock { $0 } == 3)
    }

    @Test func `two that release at once do not wait for each other`() async throws {
        let scratch = try Scratch("CREATE TABLE t(a)")
        let readers = readers(scratch, most: 5)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<500 { try readers.release() }
                }
            }
            try await group.waitForAll()
        }
        #expect(try readers.read(number) == 0)
    }

    @Test func `an interruption ends what runs, and nothing later`() throws {
        let scratch = try Scratch("CREATE TABLE t(a)")
        let readers = readers(scratch, most: 1)
        readers.interrupt()
        let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        let failure = #expect(throws: StorageError.self) {
            try readers.use { connection in
                let statement = try PreparedStatement(connection, rows)
                while try statement.step() {
                    if statement.integer(0) == 10 { readers.interrupt() }
                    if statement.integer(0) == 1_000_000 { return }
                }
            }
        }
        #expect(failure != nil)
        #expect(try readers.read(number) == 0)
    }

    @Test func `a statement is compiled without telling GRDB what it reads`() throws {
        let scratch = try Scratch("CREATE TABLE t(a, b)")
        let queue = try SQLiteConnections.queue(path: scratch.path)
        let statement = try queue.inDatabase { try $0.makeStatement(sql: "SELECT a, b FROM t") }
        #expect(statement.databaseRegion.isEmpty)
        let plain = try DatabaseQueue(path: scratch.path).inDatabase { try $0.makeStatement(sql: "SELECT a, b FROM t") }
        #expect(!plain.databaseRegion.isEmpty)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelinePostgres

@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct ChangeLogTests {
    private static let table = """
        CREATE TABLE t(id int PRIMARY KEY, n int); INSERT INTO t SELECT i, 0 FROM generate_series(1, 9) AS i;
        """

    @Test func `a transaction that commits after a later one is told once, and not before`() throws {
        let world = try Published(Self.table)
        let start = try world.position()
        let slow = try PostgresConnection(world.conninfo)
        try slow.execute("BEGIN; UPDATE t SET n = 1 WHERE id = 1")
        try world.run("UPDATE t SET n = 1 WHERE id = 2")
        let first = try world.position()
        #expect(try world.changes("t", since: start) == ["2 ← 2,0"])
        try slow.execute("COMMIT")
        let second = try world.position()
        #expect(try world.changes("t", since: first) == ["1 ← 1,0"])
        #expect(try world.changes("t", since: second) == [])
        #expect(try Set(world.changes("t", since: start)) == ["1 ← 1,0", "2 ← 2,0"])
    }

    @Test func `what left no trace is not taken for seen, since a crash lets its number be given again`() throws {
        let world = try Published(Self.table)
        let elsewhere = try PostgresConnection(try PostgresCluster.shared().makeDatabase("CREATE TABLE x(a int)"))
        try elsewhere.execute("BEGIN; INSERT INTO x VALUES (1)")
        try world.run("UPDATE t SET n = 1 WHERE id = 1")
        let before = try world.position()
        try elsewhere.execute("ROLLBACK")
        for _ in 1...3 { try world.run("BEGIN; UPDATE t SET n = 9 WHERE id = 2; ROLLBACK") }
        // Another database of the server may end transactions of older numbers: what counts is where the moment ends.
        let end = try #require(LogPlace(before)?.snapshot.next)
        #expect(try LogPlace(world.position())?.snapshot.next == end)
        try world.run("UPDATE t SET n = 1 WHERE id = 3")
        #expect(try world.changes("t", since: before) == ["3 ← 3,0"])
        let after = try world.position()
        #expect(after != before)
        #expect(try world.changes("t", since: after) == [])
    }

    @Test func `a writer left open in another database delays nothing`() throws {
        let world = try Published(Self.table)
        let idle = try PostgresConnection(try PostgresCluster.shared().makeDatabase("CREATE TABLE x(a int)"))
        try idle.execute("BEGIN; INSERT INTO x VALUES (1)")
        var last = try world.position()
        for round in 1...5 {
            try world.run("UPDATE t SET n = \(round) WHERE id = \(round)")
            let next = try world.position()
            #expect(try world.changes("t", since: last) == ["\(round) ← \(round),0"])
            last = next
        }
        try idle.execute("ROLLBACK")
    }

    @Test func `pages tell each key once, also what commits between them with an older number`() throws {
        let world = try Published(Self.table)
        let slow = try PostgresConnection(world.conninfo)
        let start = try world.position()
        try slow.execute("BEGIN; UPDATE t SET n = 1 WHERE id = 9")
        try world.run("UPDATE t SET n = 1 WHERE id <= 5")
        let first = try world.page("t", since: start, limit: 2)
        #expect(first.changes == ["1 ← 1,0", "2 ← 2,0"])
        try slow.execute("COMMIT")
        try world.run("UPDATE t SET n = 2 WHERE id IN (1, 4)")
        let second = try world.page("t", since: start, after: first.end, limit: 2)
        #expect(second.changes == ["3 ← 3,0", "5 ← 5,0"])
        let third = try world.page("t", since: start, after: second.end, limit: 2)
        // Transaction 9 has an older number than all, but was not seen by the first page.
        #expect(third.changes == ["9 ← 9,0", "1 ← 1,0"])
        try world.run("UPDATE t SET n = 3 WHERE id = 6")
        let fourth = try world.page("t", since: start, after: third.end, limit: 2)
        #expect(fourth.changes == ["4 ← 4,0", "6 ← 6,0"])
        #expect(fourth.end == nil)
    }

    @Test func `compaction keeps the newest entry and makes what needs the others gone`() throws {
        let world = try Published(Self.table)
        let start = try world.position()
        for id in 1...6 { try world.run("UPDATE t SET n = 1 WHERE id = \(id)") }
        // Writers in the databases of other tests are seen too, and end.
        var middle = try world.position()
        while LogPlace(middle)?.snapshot.open != [] { middle = try world.position() }
        #expect(try world.compact(keeping: 100) == 0)
        var removed = 0
        while removed < 5 { removed += try world.compact(keeping: 1) }
        #expect(removed == 5)
        #expect(throws: StorageError.self) { try world.changes("t", since: start) }
        #expect(try world.changes("t", since: middle) == [])
        try world.run("UPDATE t SET n = 1 WHERE id = 7")
        #expect(try world.changes("t", since: middle) == ["7 ← 7,0"])
    }

    @Test func `compaction leaves what an open transaction wrote, and positions that have not seen it are gone`() throws
    {
        let world = try Published(Self.table)
        let slow = try PostgresConnection(world.conninfo)
        try slow.execute("BEGIN; UPDATE t SET n = 1 WHERE id = 9")
        for id in 1...3 { try world.run("UPDATE t SET n = 1 WHERE id = \(id)") }
        let before = try world.position()
        #expect(try world.compact(keeping: 1) == 0)
        try slow.execute("COMMIT")
        #expect(try world.changes("t", since: before) == ["9 ← 9,0"])
        while try world.compact(keeping: 1) == 0 {}
        #expect(throws: StorageError.self) { try world.changes("t", since: before) }
    }

    /// Each request looks whether capture is whole, in databases of many thousand attributes.
    @Test func `a look at capture finds its tables and their columns in the catalog, and reads no others`() throws {
        let world = try Published(Self.table)
        let plan = try world.connection.query("EXPLAIN \(CaptureSchema.digest)")
        let lines = (0..<plan.rowCount).compactMap { plan[$0].string(0) }
        #expect(lines.contains { $0.contains("Index Scan using pg_attribute_relid_att") })
        #expect(lines.contains { $0.contains("Index Scan using pg_class_oid_index on pg_class r") })
        #expect(lines.allSatisfy { !$0.contains("Seq Scan on pg_attribute") && !$0.contains("Seq Scan on pg_class") })
    }

    @Test func `a position tells nothing of another log`() throws {
        let world = try Published(Self.table)
        let other = try Published(Self.table)
        #expect(throws: StorageError.self) { try world.changes("t", since: try other.position()) }
        #expect(throws: StorageError.self) { try world.changes("t", since: FeedPosition(bytes: [2, 1, 2])) }
    }

    @Test func `whose doing a transaction is is kept where it changed something, as long as its entries are`() throws {
        let world = try Published(Self.table)
        for change in ["id = 1", "false", "id = 2"] {
            try world.connection.transaction(.write) {
                let log = ChangeLog(connection: world.connection)
                let start = try log.position()
                try world.connection.execute("UPDATE t SET n = 1 WHERE \(change)")
                try log.setAuthor("c", since: start)
            }
        }
        #expect(try world.run("SELECT count(*) FROM tideline.authors") == "2\n")
        // Writers in the databases of other tests are seen too, and end.
        while try world.compact(keeping: 1) == 0 {}
        #expect(try world.run("SELECT count(*) FROM tideline.authors") == "1\n")
    }
}

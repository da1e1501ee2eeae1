// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelinePostgres

@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct EpochTests {
    private static let table = "CREATE TABLE t(id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 1), (2, 2);"

    private func code(_ body: () throws -> some Any) -> StorageError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? StorageError)?.code
        }
    }

    @Test(
        arguments: [
            "ALTER TABLE t DISABLE TRIGGER ALL; UPDATE t SET n = 9; ALTER TABLE t ENABLE TRIGGER ALL",
            "DROP TRIGGER \"!tideline_before\" ON t; UPDATE t SET n = 9",
            "ALTER TABLE t RENAME TO old; CREATE TABLE t(id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 9); DROP TABLE old",
            "ALTER TABLE t ALTER n TYPE bigint USING n + 1",
        ]
    )
    func `lost capture is noticed and begun anew`(sql: String) throws {
        let world = try Published(Self.table)
        let start = try world.position()
        try world.run(sql)
        #expect(throws: Published.Lost.self) { try Published.position(on: world.connection) }
        let next = try world.position()
        #expect(code { try world.changes("t", since: start) } == .epochChanged)
        try world.run("DELETE FROM t WHERE id = 1")
        #expect(try world.changes("t", since: next).map { $0.prefix(1) } == ["1"])
    }

    @Test(
        arguments: [
            "ALTER TABLE t ADD COLUMN extra text DEFAULT 'x'", "CREATE INDEX ON t(n)", "VACUUM FULL t",
            "ALTER TABLE t ADD CHECK (n < 100)", "ANALYZE t",
        ]
    )
    func `other changes of the table are none of capture's`(sql: String) throws {
        let world = try Published(Self.table)
        let start = try world.position()
        try world.run(sql)
        try world.run("UPDATE t SET n = 3 WHERE id = 2")
        _ = try Published.position(on: world.connection)
        #expect(try world.changes("t", since: start) == ["2 ← 2,2"])
    }

    private static let labelled = """
        CREATE TYPE size AS ENUM ('small', 'large'); CREATE TYPE tone AS ENUM ('red', 'blue');
        CREATE TYPE wood AS ENUM ('oak', 'elm'); CREATE TYPE unused AS ENUM ('one', 'two');
        CREATE TYPE fur AS ENUM ('long', 'short');
        CREATE DOMAIN soft AS wood; CREATE DOMAIN hard AS soft; CREATE DOMAIN furs AS fur[];
        CREATE TABLE t(id int PRIMARY KEY, n int, s size, tones tone[], h hard, f furs);
        INSERT INTO t VALUES (1, 1, 'small', '{red,blue}', 'oak', '{long}'), (2, 2, 'large', '{}', 'elm', NULL);
        """

    @Test(arguments: [
        "size RENAME VALUE 'large'", "tone RENAME VALUE 'red'", "wood RENAME VALUE 'oak'", "fur RENAME VALUE 'long'",
    ])
    func `a label that is renamed changes rows in no log, so a new epoch begins`(change: String) throws {
        let world = try Published(Self.labelled)
        let start = try world.position()
        try world.run("ALTER TYPE \(change) TO 'other'")
        #expect(throws: Published.Lost.self) { try Published.position(on: world.connection) }
        let next = try world.position()
        #expect(next != start)
        #expect(code { try world.changes("t", since: start) } == .epochChanged)
        _ = try Published.position(on: world.connection)
    }

    @Test(
        arguments: [
            "size ADD VALUE 'huge'", "tone ADD VALUE 'green' BEFORE 'red'", "unused RENAME VALUE 'one' TO 'three'",
        ]
    )
    func `a label that is added, or that no column has, changes no row`(change: String) throws {
        let world = try Published(Self.labelled)
        let start = try world.position()
        try world.run("ALTER TYPE \(change)")
        try world.run("UPDATE t SET n = 3 WHERE id = 2")
        _ = try Published.position(on: world.connection)
        #expect(try world.changes("t", since: start).map { $0.prefix(1) } == ["2"])
    }

    @Test func `publishing again after a label was renamed begins a new epoch`() throws {
        let world = try Published(Self.labelled)
        let start = try world.position()
        try world.run("ALTER TYPE size RENAME VALUE 'small' TO 'tiny'")
        let capture = Capture(connection: world.connection)
        try world.connection.transaction(.write) { try capture.follow(try capture.tables()) }
        #expect(code { try world.changes("t", since: start) } == .epochChanged)
        _ = try Published.position(on: world.connection)
    }

    @Test func `TRUNCATE begins a new epoch, unless it is undone`() throws {
        let world = try Published(Self.table)
        let start = try world.position()
        try world.run("BEGIN; TRUNCATE t; ROLLBACK")
        #expect(try world.changes("t", since: start) == [])
        try world.run("TRUNCATE t")
        #expect(code { try world.changes("t", since: start) } == .epochChanged)
        #expect(try world.changes("t", since: world.position()) == [])
    }

    @Test func `two that truncate side by side are both noticed`() throws {
        let world = try Published(Self.table + "CREATE TABLE u(id int PRIMARY KEY)")
        let first = try PostgresConnection(world.conninfo)
        let second = try PostgresConnection(world.conninfo)
        try first.execute("BEGIN; TRUNCATE t")
        try second.execute("BEGIN; TRUNCATE u; COMMIT")
        let between = try world.position()
        try first.execute("COMMIT")
        #expect(code { try world.changes("u", since: between) } == .epochChanged)
    }

    @Test func `a dump that was restored elsewhere is noticed`() throws {
        let world = try Published(Self.table)
        try world.run("UPDATE t SET n = 5 WHERE id = 1")
        let start = try world.position()
        let cluster = try PostgresCluster.shared()
        let name = cluster.name(of: world.conninfo)
        try cluster.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'",
            database: "postgres"
        )
        try cluster.run("CREATE DATABASE copy_of_\(name) TEMPLATE \(name)", database: "postgres")
        try cluster.run("DROP DATABASE \(name)", database: "postgres")
        try cluster.run("ALTER DATABASE copy_of_\(name) RENAME TO \(name)", database: "postgres")
        let copy = try Published(again: world)
        #expect(throws: Published.Lost.self) { try Published.position(on: copy.connection) }
        let next = try copy.position()
        #expect(code { try copy.changes("t", since: start) } == .logRestored)
        try copy.run("DELETE FROM t WHERE id = 2")
        #expect(try copy.changes("t", since: next) == ["2 ← 2,2"])
    }

    @Test func `an older state of the same tables is noticed by the newest entry`() throws {
        let world = try Published(Self.table)
        try world.run("UPDATE t SET n = 5 WHERE id = 1")
        let start = try world.position()
        // As when the log of an older dump is read back into the tables: the last entry is another one.
        try world.run("DELETE FROM tideline.log; UPDATE t SET n = 6 WHERE id = 1")
        #expect(code { try world.changes("t", since: start) } == .logRestored)
    }
}

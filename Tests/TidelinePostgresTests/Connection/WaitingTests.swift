// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineStorage
import TidelineTestSupport

@testable import TidelinePostgres

/// Savepoints and changes that travel with the next statement.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct WaitingTests {
    private static let insert = "INSERT INTO a VALUES ($1::int4)"

    private let connection: PostgresConnection
    private let observer: PostgresConnection
    private let process: SQLValue

    init() throws {
        let conninfo = try PostgresCluster.shared().makeDatabase("CREATE TABLE a (b int PRIMARY KEY)")
        connection = try PostgresConnection(conninfo)
        observer = try PostgresConnection(conninfo)
        process = .integer(try connection.query("SELECT pg_backend_pid()")[0].integer(0) ?? 0)
        try connection.open(.write)
        try connection.begin()
    }

    /// The last statement that the server heard of in the session.
    private func heard() throws -> String? {
        try observer.query("SELECT query FROM pg_stat_activity WHERE pid = $1::int4", [process])[0].string(0)
    }

    private func add(_ number: Int64) throws { _ = try connection.step(Self.insert, [.integer(number)]) }

    /// The rows that a session sees.
    private func rows(_ connection: PostgresConnection) throws -> [Int64?] {
        try connection.query("SELECT b FROM a ORDER BY b", isKept: true).map { $0.integer(0) }
    }

    @Test func `a savepoint is told with the first statement after it`() throws {
        // From now on the statement is prepared.
        try add(1)
        #expect(try heard() == "RELEASE tideline_step")
        connection.savepoint("one")
        connection.savepoint("two")
        #expect(try heard() == "RELEASE tideline_step")
        // The last savepoint is that of the statement, too.
        try add(2)
        connection.release("two")
        #expect(try heard() == Self.insert)
        try add(3)
        connection.release("one")
        try connection.commit()
        #expect(try heard() == "COMMIT")
        #expect(try rows(observer) == [1, 2, 3])
    }

    @Test func `a savepoint in which nothing happened is never told`() throws {
        connection.savepoint("one")
        connection.savepoint("two")
        connection.release("two")
        #expect(connection.waiting.count == 1)
        try connection.undo(to: "one")
        #expect(connection.waiting.isEmpty)
        #expect(try heard() == PostgresConnection.Mode.write.rawValue)
        try add(1)
        try connection.commit()
        #expect(try rows(observer) == [1])
    }

    @Test func `what came after a savepoint is undone, what came before it stays`() throws {
        connection.savepoint("one")
        try add(1)
        connection.savepoint("two")
        try add(2)
        connection.savepoint("three")
        try add(3)
        connection.release("three")
        try connection.undo(to: "two")
        #expect(try rows(connection) == [1])
        try add(4)
        connection.release("one")
        try connection.commit()
        #expect(try rows(observer) == [1, 4])
    }

    @Test func `a refused statement is undone alone, in a savepoint that was not told before`() throws {
        try add(1)
        connection.savepoint("one")
        connection.savepoint("two")
        let failure = try #require(throws: PostgresFailure.self) { try add(1) }
        #expect(failure.sqlState == "23505")
        try add(2)
        let again = try #require(throws: PostgresFailure.self) { try add(2) }
        #expect(again.sqlState == "23505")
        #expect(try rows(connection) == [1, 2])
        // Both savepoints stand.
        try connection.undo(to: "two")
        #expect(try rows(connection) == [1])
        try add(3)
        try connection.undo(to: "one")
        try connection.commit()
        #expect(try rows(observer) == [1])
    }

    @Test func `a failed question in a savepoint that was not told before is undone with it`() throws {
        try add(1)
        connection.savepoint("one")
        let failure = try #require(throws: PostgresFailure.self) {
            try connection.query("SELECT 7 / $1::int4", [.integer(0)], isKept: true)
        }
        #expect(failure.sqlState == "22012")
        try connection.undo(to: "one")
        try connection.commit()
        #expect(try rows(observer) == [1])
    }

    @Test func `a statement that cannot be prepared is undone with the savepoint before it`() throws {
        try add(1)
        for sql in ["SELECT nothing", "INSERT INTO nothing VALUES (1)"] {
            connection.savepoint("one")
            let failure = try #require(throws: PostgresFailure.self) {
                _ = sql.hasPrefix("SELECT") ? try connection.query(sql, isKept: true) : try connection.step(sql, [])
            }
            #expect(["42703", "42P01"].contains(failure.sqlState))
            try connection.undo(to: "one")
            #expect(try rows(connection) == [1])
        }
        try connection.commit()
        #expect(try rows(observer) == [1])
    }

    @Test func `a failed transaction goes back to a savepoint although the end of an inner one waits`() throws {
        try add(1)
        connection.savepoint("one")
        connection.savepoint("two")
        try add(2)
        connection.release("two")
        #expect(throws: PostgresFailure.self) {
            try connection.query("SELECT 7 / $1::int4", [.integer(0)], isKept: true)
        }
        try connection.undo(to: "one")
        #expect(try rows(connection) == [1])
        try connection.commit()
        #expect(try rows(observer) == [1])
    }

    @Test func `a change is there for the next question, and with the commit for all`() throws {
        try connection.change(Self.insert, [.integer(1)])
        #expect(try heard() == PostgresConnection.Mode.write.rawValue)
        #expect(try rows(connection) == [1])
        try connection.change(Self.insert, [.integer(2)])
        try connection.change("DELETE FROM a WHERE b = $1::int4", [.integer(1)])
        try connection.execute("INSERT INTO a SELECT max(b) + 1 FROM a")
        try connection.change(Self.insert, [.integer(7)])
        #expect(try rows(observer) == [])
        try connection.commit()
        #expect(try rows(observer) == [2, 3, 7])
    }

    @Test func `a change goes with the savepoint that it came after`() throws {
        connection.savepoint("one")
        try connection.change(Self.insert, [.integer(1)])
        connection.release("one")
        connection.savepoint("two")
        try connection.change(Self.insert, [.integer(2)])
        try connection.undo(to: "two")
        try connection.commit()
        #expect(try rows(observer) == [1])
    }

    @Test func `a change that is refused at the commit undoes the transaction, and the session goes on`() throws {
        try add(1)
        try connection.change(Self.insert, [.integer(1)])
        try connection.change(Self.insert, [.integer(2)])
        let failure = try #require(throws: PostgresFailure.self) { try connection.commit() }
        #expect(failure.sqlState == "23505")
        #expect(!connection.isInTransaction)
        #expect(try rows(observer) == [])
        try connection.transaction(.write) { try add(3) }
        #expect(try rows(observer) == [3])
    }

    @Test func `what waits is gone with the transaction that is undone`() throws {
        connection.savepoint("one")
        try connection.change(Self.insert, [.integer(1)])
        connection.rollback()
        try connection.transaction(.write) { try add(2) }
        #expect(try rows(observer) == [2])
    }

    @Test func `statements that were forgotten to make room are there when a change is sent`() throws {
        for number in 0..<253 { _ = try connection.query("SELECT \(number)", isKept: true) }
        try connection.change(Self.insert, [.integer(1)])
        try connection.change("UPDATE a SET b = b + $1::int4", [.integer(10)])
        try connection.change("UPDATE a SET b = b * $1::int4", [.integer(2)])
        #expect(try rows(connection) == [22])
        try connection.commit()
        #expect(try rows(observer) == [22])
    }
}

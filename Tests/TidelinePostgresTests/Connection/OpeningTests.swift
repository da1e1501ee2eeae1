// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineStorage
import TidelineTestSupport

@testable import TidelinePostgres

/// Transactions that read: what the server hears of them, and when.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct OpeningTests {
    private let connection: PostgresConnection
    private let observer: PostgresConnection
    private let process: SQLValue

    init() throws {
        let conninfo = try PostgresCluster.shared().makeDatabase("CREATE TABLE a (b int); INSERT INTO a VALUES (7)")
        connection = try PostgresConnection(conninfo)
        observer = try PostgresConnection(conninfo)
        process = .integer(try connection.query("SELECT pg_backend_pid()")[0].integer(0) ?? 0)
    }

    /// What the server says that the session does.
    private func state() throws -> String? {
        try observer.query("SELECT state FROM pg_stat_activity WHERE pid = $1::int4", [process])[0].string(0)
    }

    private func isolation() throws -> String? {
        try connection.query("SHOW transaction_isolation", isKept: true)[0].string(0)
    }

    @Test func `a transaction begins at the server with its first question, known or not`() throws {
        for round in 0..<3 {
            try connection.open(.read)
            #expect(connection.isInTransaction)
            #expect(try state() == "idle", "round \(round)")
            #expect(try isolation() == "repeatable read", "round \(round)")
            #expect(try state() == "idle in transaction")
            try connection.endReading()
            #expect(!connection.isInTransaction)
        }
        try connection.open(.read)
        // The answer to the end of the one before is taken.
        #expect(try state() == "idle")
        try connection.execute("SELECT 1")
        #expect(try state() == "idle in transaction")
        connection.rollback()
        #expect(try state() == "idle")
    }

    @Test func `a transaction in which nothing is asked is none`() throws {
        try connection.open(.read)
        try connection.endReading()
        #expect(!connection.isInTransaction)
        try connection.open(.read)
        connection.rollback()
        #expect(!connection.isInTransaction)
        #expect(try connection.query("SELECT b FROM a")[0].integer(0) == 7)
    }

    @Test func `a first question that fails leaves a transaction to undo, and a usable session`() throws {
        let sql = "SELECT 7 / $1::int4"
        #expect(try connection.query(sql, [.integer(1)], isKept: true)[0].integer(0) == 7)
        try connection.open(.read)
        let failure = try #require(throws: PostgresFailure.self) {
            try connection.query(sql, [.integer(0)], isKept: true)
        }
        #expect(failure.sqlState == "22012")
        #expect(connection.isInTransaction)
        let end = try #require(throws: PostgresFailure.self) { try connection.endReading() }
        #expect(end.sqlState == "25P02")
        #expect(!connection.isInTransaction)
        try connection.open(.read)
        #expect(try connection.query(sql, [.integer(7)], isKept: true)[0].integer(0) == 1)
        try connection.endReading()
    }

    @Test func `a first question whose plan is stale is asked anew in the next transaction`() throws {
        let sql = "SELECT * FROM a"
        #expect(try connection.query(sql, isKept: true).columnCount == 1)
        try observer.execute("ALTER TABLE a ADD c int")
        try connection.open(.read)
        let failure = try #require(throws: PostgresFailure.self) { try connection.query(sql, isKept: true) }
        #expect(failure.isStalePlan)
        connection.rollback()
        try connection.open(.read)
        #expect(try connection.query(sql, isKept: true).columnCount == 2)
        try connection.endReading()
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelinePostgres
import TidelineStorage
import TidelineTestSupport

@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct PostgresConnectionTests {
    let conninfo: String
    let connection: PostgresConnection

    init() throws {
        conninfo = try PostgresCluster.shared().makeDatabase()
        connection = try PostgresConnection(conninfo)
    }

    @Test func `values go in as parameters and come out in either form`() throws {
        let sql = "SELECT $1::int8, $2::text, $3::bytea, $4::float8, $5::date, $6::int4 IS NULL"
        let values: [SQLValue] = [
            .integer(-5), .text("it's"), .blob([0, 255]), .real(0.1), .typed("2024-02-29", type: "date"), .null,
        ]
        for isBinary in [false, true] {
            for isKept in [false, true, true] {
                let result = try connection.query(sql, values, isKept: isKept, isBinary: isBinary)
                #expect(result.rowCount == 1)
                #expect(result[0].integer(0) == -5)
                #expect(result[0].string(1) == "it's")
                #expect(result[0].blob(2) == [0, 255])
                #expect(result[0].boolean(5) == true)
            }
        }
    }

    @Test func `an empty blob is not null, and U+0000 is refused`() throws {
        #expect(try connection.query("SELECT $1::bytea", [.blob([])])[0].blob(0) == [])
        #expect(throws: StorageError.self) { try connection.query("SELECT $1::text", [.text("a\0b")]) }
    }

    @Test func `rows are streamed until the reader has enough`() throws {
        var sum: Int64 = 0
        try connection.stream("SELECT n FROM generate_series(1, $1::int8) AS n", [.integer(1000)]) { row in
            sum += row.integer(0) ?? 0
            return sum < 10
        }
        #expect(sum == 10)
        #expect(try connection.query("SELECT 1")[0].integer(0) == 1)
    }

    @Test func `an error of the reader ends the statement`() throws {
        struct Enough: Error {}
        #expect(throws: Enough.self) {
            try connection.stream("SELECT n FROM generate_series(1, 1000000) AS n") { _ in throw Enough() }
        }
        #expect(try connection.query("SELECT 1")[0].integer(0) == 1)
    }

    @Test func `a transaction is undone when it throws`() throws {
        try connection.execute("CREATE TABLE a (b int PRIMARY KEY)")
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try connection.transaction(.write) {
                #expect(try connection.query("INSERT INTO a VALUES (1)").affectedRows == 1)
                throw Stop()
            }
        }
        #expect(try connection.query("SELECT count(*) FROM a")[0].integer(0) == 0)
        #expect(throws: PostgresFailure.self) {
            try connection.transaction(.write) { _ = try? connection.query("SELECT 1 / 0") }
        }
        #expect(!connection.isInTransaction)
    }

    @Test(arguments: [
        ("INSERT INTO t VALUES (1, 1)", StorageError.Code.duplicateValue), ("SELECT * FROM nothing", .schemaChanged),
        ("INSERT INTO t VALUES (2, NULL)", .nullValue), ("INSERT INTO t VALUES (2, -1)", .constraint),
        ("SELECT pg_sleep(20)", .timeout), ("DO $$ BEGIN RAISE EXCEPTION 'no'; END $$", .constraint),
    ])
    func `a refusal of the server has the store's code`(sql: String, code: StorageError.Code) throws {
        try connection.execute("CREATE TABLE t (a int PRIMARY KEY, b int NOT NULL CHECK (b > 0))")
        try connection.execute("INSERT INTO t VALUES (1, 1); SET statement_timeout = 50")
        let error = try #require(throws: PostgresFailure.self) { try connection.query(sql) }
        #expect(error.storageError.code == code)
    }

    @Test func `what a database's owner raises is told apart from what PostgreSQL says, which holds values`() throws {
        try connection.execute("CREATE TABLE t (a int PRIMARY KEY CHECK (a > 0)); INSERT INTO t VALUES (1)")
        func raised(_ sql: String) throws -> String? {
            try #require(throws: PostgresFailure.self) { try connection.query(sql) }.storageError.raised
        }
        #expect(try raised("DO $$ BEGIN RAISE EXCEPTION 'Ask a manager.'; END $$") == "Ask a manager.")
        #expect(try raised("DO $$ BEGIN RAISE EXCEPTION 'Ours.' USING ERRCODE = 'SH001'; END $$") == "Ours.")
        #expect(try raised("DO $$ BEGIN RAISE EXCEPTION ''; END $$") == nil)
        #expect(try raised("INSERT INTO t VALUES (1)") == nil)
        #expect(try raised("INSERT INTO t VALUES (-1)") == nil)
        #expect(try raised("SELECT 'secret'::int") == nil)
        #expect(try raised("DO $$ BEGIN RAISE EXCEPTION 'Not you.' USING ERRCODE = '42501'; END $$") == "Not you.")
    }

    @Test(arguments: [
        ("RAISE EXCEPTION 'No.' USING ERRCODE = '42501'", StorageError.Code.constraint),
        ("RAISE EXCEPTION 'No.' USING ERRCODE = '57014'", .constraint), ("PERFORM missing()", .constraint),
        ("INSERT INTO missing VALUES (1)", .constraint), ("EXECUTE 'SELECT a FROM pg_authid'", .constraint),
        // Who asks again may get it: other writers are done by then.
        ("RAISE EXCEPTION 'No.' USING ERRCODE = '40001'", .busy),
        ("RAISE EXCEPTION 'No.' USING ERRCODE = '55P03'", .busy),
    ])
    func `what a routine of the owner fails of, it fails of again: a refusal, not a server that is ill`(
        body: String,
        code: StorageError.Code
    ) throws {
        let error = try #require(throws: PostgresFailure.self) {
            try connection.query("DO $$ BEGIN \(body); END $$")
        }
        #expect(error.storageError.code == code)
        let direct = try #require(throws: PostgresFailure.self) { try connection.query("SELECT missing()") }
        #expect(direct.storageError.code == .schemaChanged)
    }

    /// The context of such an error begins with the statement in the function, and names the function after it.
    @Test func `what a trigger of the owner may not do is a refusal, and what the server's user may not do is none`()
        throws
    {
        try connection.execute(
            """
            CREATE TABLE audit (who text);
            CREATE TABLE t (a int PRIMARY KEY);
            CREATE FUNCTION au() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN INSERT INTO audit VALUES (new.a); RETURN new; END';
            CREATE TRIGGER au BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION au();
            CREATE SCHEMA tideline;
            CREATE FUNCTION tideline.note() RETURNS void LANGUAGE plpgsql AS
                'BEGIN INSERT INTO audit VALUES (''x''); END';
            GRANT INSERT ON t TO pg_monitor;
            GRANT USAGE ON SCHEMA tideline TO pg_monitor;
            SET ROLE pg_monitor
            """
        )
        func failure(_ sql: String) throws -> PostgresFailure {
            try #require(throws: PostgresFailure.self) { try connection.query(sql) }
        }
        let ofTrigger = try failure("INSERT INTO t VALUES (1)")
        #expect(ofTrigger.sqlState == "42501")
        #expect(ofTrigger.storageError.code == .constraint)
        #expect(ofTrigger.storageError.raised == nil)
        #expect(try failure("INSERT INTO audit VALUES ('x')").storageError.code == .io)
        // What the server made itself and may not use is no rule of the owner, whoever calls it.
        #expect(try failure("DO $$ BEGIN PERFORM tideline.note(); END $$").storageError.code == .io)
    }

    @Test func `a server that is not there says so`() throws {
        let error = try #require(throws: PostgresFailure.self) {
            try PostgresConnection("host=/nowhere dbname=x connect_timeout=1")
        }
        #expect(error.isConnectionLost)
        #expect(error.storageError.code == .unavailable)
    }

    @Test func `a statement outlives a change of its table`() throws {
        try connection.execute("CREATE TABLE a (b int); INSERT INTO a VALUES (1)")
        #expect(try connection.query("SELECT * FROM a", isKept: true).columnCount == 1)
        try connection.execute("ALTER TABLE a ADD c int")
        #expect(throws: PostgresFailure.self) { try connection.query("SELECT * FROM a", isKept: true) }
        #expect(try connection.query("SELECT * FROM a", isKept: true).columnCount == 2)
    }
}

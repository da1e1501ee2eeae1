// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CPostgres
package import TidelineStorage

/// One session with a PostgreSQL server: for one thread at a time; every call waits for its answer, but for what travels with
/// the next statement (``savepoint(_:)``, ``release(_:)``, ``change(_:_:)``).
///
///     let connection = try PostgresConnection("postgresql:///shop", options: .init())
///     try connection.transaction(.write) {
///         try connection.query("DELETE FROM orders WHERE id = $1", [.integer(7)]).affectedRows
///     }
///
/// Calls throw ``PostgresFailure`` with the server's SQLSTATE; ``mapped(_:)`` makes it the store's error.
@safe
package final class PostgresConnection {
    /// How long a session waits, and what it says of itself.
    package struct Options: Hashable, Sendable {
        /// How long the server may work at one statement; zero for no limit.
        package var statementTimeout: Duration
        /// How long a statement waits for a lock; zero for no limit.
        package var lockTimeout: Duration
        /// The schema of tables that are named without one, or `nil` for that of the database's user.
        package var schema: String?

        package init(
            statementTimeout: Duration = .seconds(30),
            lockTimeout: Duration = .seconds(10),
            schema: String? = nil
        ) {
            self.statementTimeout = statementTimeout
            self.lockTimeout = lockTimeout
            self.schema = schema
        }
    }

    /// How a transaction is run.
    package enum Mode: String, Hashable, Sendable {
        /// One snapshot, nothing is changed.
        case read = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        /// One snapshot and the own changes; a row that another changed meanwhile ends it with SQLSTATE 40001.
        case write = "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE"
    }

    let handle: OpaquePointer
    /// The names of prepared statements by their text.
    private var kept: [String: String] = [:]
    private var preparedCount = 0
    private static let mostKept = 256
    /// The transaction that is open for its user and not yet at the server, see ``open(_:)``.
    var opening: Mode?
    /// Whether the next transaction forgets the plans of the database's routines first, see ``forgetPlans()``.
    var mustDiscardPlans = false
    /// What the server is told with the next statement, see ``savepoint(_:)`` and ``change(_:_:)``.
    var waiting: [Waiting] = []
    /// Whether the answer to the last COMMIT was not taken yet, see ``endReading()``.
    var isEnding = false

    /// Connects.
    ///
    /// - Parameter conninfo: a URL or `key=value` pairs, as libpq reads them; TLS is asked for there (`sslmode`).
    /// - Throws: ``PostgresFailure``.
    package init(_ conninfo: String, options: Options = Options()) throws {
        // What comes later wins, so the caller's text may say otherwise, except for the encoding.
        let pairs = [
            ("connect_timeout", "10"), ("application_name", "tideline"), ("tcp_user_timeout", "60000"),
            ("dbname", conninfo), ("client_encoding", "UTF8"),
        ]
        let connection = unsafe try Self.connect(pairs)
        guard let connection = unsafe connection else {
            throw PostgresFailure(sqlState: "53200", message: "No memory for a connection.")
        }
        unsafe handle = connection
        guard unsafe PQstatus(connection) == CONNECTION_OK else {
            let failure = unsafe PostgresFailure(result: nil, connection: connection)
            throw PostgresFailure(sqlState: "08001", message: failure.message)
        }
        // Else libpq prints what a server notes.
        _ = unsafe PQsetNoticeReceiver(connection, { _, _ in }, nil)
        try execute(Self.settings(options))
    }

    deinit { unsafe PQfinish(handle) }

    private static func connect(_ pairs: [(String, String)]) throws -> OpaquePointer? {
        // Null ends each list.
        let keys = try ParameterBlock(pairs.map { .text($0.0) } + [.null])
        let values = try ParameterBlock(pairs.map { .text($0.1) } + [.null])
        return unsafe keys.withPointers { _, keys, _, _ in
            unsafe values.withPointers { _, values, _, _ in unsafe PQconnectdbParams(keys, values, 1) }
        }
    }

    private static func settings(_ options: Options) -> String {
        """
        SET SESSION statement_timeout = \(milliseconds(options.statementTimeout));
        SET SESSION lock_timeout = \(milliseconds(options.lockTimeout));
        SET SESSION TimeZone = 'UTC';
        SET SESSION DateStyle = 'ISO';
        SET SESSION IntervalStyle = 'iso_8601';
        SET SESSION bytea_output = 'hex';
        SET SESSION extra_float_digits = 1;
        SET SESSION cursor_tuple_fraction = 1;
        SET SESSION standard_conforming_strings = on;
        SET SESSION tideline.tells = off;
        \(options.schema.map { "SET SESSION search_path = \(SQLToken.name($0));" } ?? "")
        """
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
    }

    /// The server's version, as 150004 for 15.4.
    package var serverVersion: Int { Int(unsafe PQserverVersion(handle)) }

    /// Whether the session still stands, as far as was seen.
    package var isAlive: Bool { unsafe PQstatus(handle) == CONNECTION_OK }

    /// Whether a transaction is open, failed or not.
    package var isInTransaction: Bool {
        unsafe opening != nil || !isEnding && PQtransactionStatus(handle) != PQTRANS_IDLE
    }

    // MARK: Statements

    /// Runs one statement or several apart by semicolons, without parameters, and forgets their rows.
    package func execute(_ sql: String) throws {
        try beginWaiting()
        if waiting.contains(where: \.isChange) { try sendWaiting() }
        let points = try takeWaiting().map { if case .text(let point) = $0 { point + "; " } else { "" } }
        _ = try unsafe checked(PQexec(handle, points.joined() + sql))
    }

    /// Runs one statement and takes its rows whole.
    ///
    /// - Parameters:
    ///   - parameters: the values of `$1`, `$2`…; PostgreSQL gives each the type that its place asks for.
    ///   - isKept: whether the statement stays prepared for the next time.
    ///   - isBinary: whether columns come in PostgreSQL's binary form, not as text.
    package func query(
        _ sql: String,
        _ parameters: [SQLValue] = [],
        isKept: Bool = false,
        isBinary: Bool = false
    ) throws -> PostgresResult {
        let block = try ParameterBlock(parameters)
        let format: Int32 = isBinary ? 1 : 0
        guard isKept else {
            try begin()
            return try unsafe checked(
                block.withPointers { count, values, lengths, formats in
                    unsafe PQexecParams(handle, sql, count, nil, values, lengths, formats, format)
                }
            )
        }
        do {
            takeEnd()
            var first: [Message] = []
            if let opening, waiting.isEmpty, kept[sql] != nil {
                first = [.text(opening.rawValue)]
                self.opening = nil
            } else {
                try beginWaiting()
            }
            if mustSendFirst { first += try takeWaiting(before: sql) }
            let name = try prepared(sql)
            guard first.isEmpty else {
                let (results, failure) = try send(first + [.prepared(name, block, format: format)])
                if let failure { throw failure }
                return results[first.count]
            }
            return try unsafe checked(
                block.withPointers { count, values, lengths, formats in
                    unsafe PQexecPrepared(handle, name, count, values, lengths, formats, format)
                }
            )
        } catch let failure as PostgresFailure where failure.isStalePlan {
            try forgetPlans()
            throw failure
        }
    }

    /// Runs a kept statement and lends its rows one at a time, in binary form: memory stays flat.
    ///
    /// - Parameter body: returns whether it wants the next row; what is left is passed over, so the statement should
    ///   have a limit.
    package func stream(
        _ sql: String,
        _ parameters: [SQLValue] = [],
        _ body: (PostgresRow) throws -> Bool
    ) throws {
        let block = try ParameterBlock(parameters)
        try begin()
        let name = try prepared(sql)
        let sent = unsafe block.withPointers { count, values, lengths, formats in
            unsafe PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
        }
        guard sent == 1, unsafe PQsetSingleRowMode(handle) == 1 else { throw lost() }
        var wantsMore = true
        var failure: (any Error)?
        while let pointer = unsafe PQgetResult(handle) {
            let result = unsafe PostgresResult(pointer)
            switch unsafe PQresultStatus(pointer) {
            case PGRES_SINGLE_TUPLE:
                guard wantsMore else { continue }
                do {
                    wantsMore = try body(result[0])
                } catch {
                    failure = error
                    wantsMore = false
                    cancel()
                }
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: continue
            default:
                // The first failure is the reason; what follows it is its echo.
                if failure == nil { failure = unsafe PostgresFailure(result: pointer, connection: handle) }
            }
        }
        guard let failure else { return }
        if let failure = failure as? PostgresFailure, failure.isStalePlan { try forgetPlans() }
        throw failure
    }

    /// Asks the server to stop what it does for this session.
    private func cancel() {
        guard let request = unsafe PQgetCancel(handle) else { return }
        var message = [CChar](repeating: 0, count: 256)
        _ = unsafe PQcancel(request, &message, 256)
        unsafe PQfreeCancel(request)
    }

    /// Whether a statement is prepared.
    func isKept(_ sql: String) -> Bool { kept[sql] != nil }

    /// The name of the prepared statement of a text.
    func prepared(_ sql: String) throws -> String {
        if let name = kept[sql] { return name }
        try makeRoom(for: 1)
        preparedCount += 1
        let name = "tideline_\(preparedCount)"
        _ = try unsafe checked(PQprepare(handle, name, sql, 0, nil))
        kept[sql] = name
        return name
    }

    /// Makes sure that so many statements more can be prepared without that one is forgotten.
    func makeRoom(for count: Int) throws {
        if kept.count + count > Self.mostKept { try forgetStatements() }
    }

    /// Forgets the prepared statements: their plans are stale, or there are too many.
    func forgetStatements() throws {
        kept = [:]
        guard unsafe PQtransactionStatus(handle) != PQTRANS_INERROR else { return }
        _ = try unsafe checked(PQexec(handle, "DEALLOCATE ALL"))
    }

    /// Forgets all plans of the session, those of the database's routines with the next transaction: one of a type that was
    /// made anew fails as long as the session lasts.
    func forgetPlans() throws {
        mustDiscardPlans = true
        try forgetStatements()
    }

    func checked(_ result: OpaquePointer?) throws -> PostgresResult {
        guard let pointer = unsafe result else { throw lost() }
        let result = unsafe PostgresResult(pointer)
        switch unsafe PQresultStatus(pointer) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return result
        default: throw unsafe PostgresFailure(result: pointer, connection: handle)
        }
    }

    func lost() -> PostgresFailure { unsafe PostgresFailure(result: nil, connection: handle) }

    /// Runs `body`; failures of PostgreSQL leave as errors of the store.
    package static func mapped<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as PostgresFailure {
            throw failure.storageError
        }
    }
}

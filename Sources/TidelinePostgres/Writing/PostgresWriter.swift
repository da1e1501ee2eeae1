// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// One write transaction of a store: what a reader reads, and changes.
final class PostgresWriter: PostgresReader, TableWriter {
    private var savepoints = 0

    var model: EntityModel { context.model }

    init(connection: PostgresConnection, context: PostgresContext) {
        super.init(connection: connection, context: context, purpose: .writing)
    }

    override func position() throws -> FeedPosition { try restoring { try super.position() } }

    @discardableResult
    override func changes(_ query: ChangeQuery, _ receive: (ChangedKey) throws -> Void) throws -> FeedPosition? {
        try restoring { try super.changes(query, receive) }
    }

    /// Restores lost capture here and now: this is a write transaction.
    ///
    /// Nothing was received before it was noticed.
    private func restoring<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch is CaptureLost {
            try named { try Capture(connection: connection).restore() }
            return try body()
        }
    }

    // MARK: Writing

    func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        savepoints += 1
        let name = "tideline_\(savepoints)"
        defer { savepoints -= 1 }
        connection.savepoint(name)
        do {
            let result = try body()
            connection.release(name)
            return result
        } catch {
            // Where the session is gone, or all will be run again, this fails too, and the first error is the reason.
            prefetched = [:]
            try? connection.undo(to: name)
            throw error
        }
    }

    /// What comes after the end of a transaction is refused by the server.
    func requireTransaction() {}

    func insertRow(_ columns: [(place: Int, value: Value)], into set: EntitySet) throws -> Key {
        let statements = context.statements(set)
        let sql = statements.insert(columns.map(\.place))
        let parameters = try columns.map { try statements.writers[$0.place].parameter($0.value) }
        prefetched = [:]
        return try named {
            let result = try connection.step(sql, parameters)
            guard result.rowCount > 0 else { throw StorageError.ignoredInsert(set) }
            return Key(
                try set.type.key.enumerated().map { column, place in
                    try statements.readers[place].value(result[0], column)
                }
            )
        }
    }

    func updateRow(_ key: Key, _ columns: [(place: Int, value: Value)], in set: EntitySet) throws -> Bool {
        let statements = context.statements(set)
        let parameters = try columns.map { try statements.writers[$0.place].parameter($0.value) }
        guard let condition = try statements.condition(key, from: columns.count + 1) else { return false }
        let sql = "\(statements.update(columns.map(\.place))) WHERE \(condition.text)"
        prefetched = [:]
        return try named {
            try connection.step(sql, parameters + condition.values).affectedRows > 0
        }
    }

    func deleteRow(_ key: Key, in set: EntitySet) throws -> Bool {
        let statements = context.statements(set)
        guard let condition = try statements.condition(key) else { return false }
        let sql = "DELETE FROM \(statements.table) AS t0 WHERE \(condition.text)"
        prefetched = [:]
        return try named { try connection.step(sql, condition.values).affectedRows > 0 }
    }

    func perform(_ action: OperationCall) throws -> OperationResult {
        let compiled = try context.compiled(action.operation)
        prefetched = [:]
        return try savepoint {
            try named {
                do {
                    return try compiled.run(action, on: connection)
                } catch let failure as PostgresFailure where failure.sqlState == "2D000" {
                    throw action.operation.unusable(
                        "it ends the transaction that it is called in, and that is the transaction of the request"
                    )
                }
            }
        }
    }

    func checkDeferredConstraints() throws {
        // Taken back at once, so that constraints stay deferred and speak again at the end.
        let name = "tideline_check"
        do {
            try named {
                try connection.execute(
                    "SAVEPOINT \(name); SET CONSTRAINTS ALL IMMEDIATE; ROLLBACK TO \(name); RELEASE \(name)"
                )
            }
        } catch {
            try? connection.execute("ROLLBACK TO \(name); RELEASE \(name)")
            throw error
        }
    }

    // MARK: Repeatable requests

    func setMark(_ mark: ClientMark, client: String) throws {
        try change(
            """
            INSERT INTO tideline.clients(client, "user", number) VALUES ($1, $2, $3)
            ON CONFLICT (client) DO UPDATE SET "user" = EXCLUDED."user", number = EXCLUDED.number
            """,
            [.text(client), mark.user.map(SQLValue.text) ?? .null, .integer(mark.transaction)]
        )
    }

    func setAuthor(_ client: String, since position: FeedPosition) throws {
        try named { try ChangeLog(connection: connection).setAuthor(client, since: position) }
    }

    func keep(_ answer: KeptAnswer, client: String, request: String) throws {
        try change(
            """
            INSERT INTO tideline.answers(client, request, number, hash, answer) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (client, request) DO UPDATE
            SET number = EXCLUDED.number, hash = EXCLUDED.hash, answer = EXCLUDED.answer
            """,
            [
                .text(client), .text(request), answer.transaction.map(SQLValue.integer) ?? .null,
                .blob(answer.requestHash), .blob(answer.bytes),
            ]
        )
    }

    func forgetAnswers(client: String, through transaction: Int64) throws {
        try change(
            "DELETE FROM tideline.answers WHERE client = $1 AND number <= $2",
            [.text(client), .integer(transaction)]
        )
    }

    func forgetAnswer(client: String, request: String) throws -> Bool {
        try named {
            try connection.query(
                "DELETE FROM tideline.answers WHERE client = $1 AND request = $2",
                [.text(client), .text(request)],
                isKept: true
            ).affectedRows > 0
        }
    }

    func forgetAnswers(olderThan seconds: Int64) throws {
        try change(
            """
            DELETE FROM tideline.answers
            WHERE number IS NULL AND kept_at < clock_timestamp() - make_interval(secs => $1::bigint)
            """,
            [.integer(seconds)]
        )
    }

    private func change(_ sql: String, _ parameters: [SQLValue]) throws {
        try named { try connection.change(sql, parameters) }
    }
}

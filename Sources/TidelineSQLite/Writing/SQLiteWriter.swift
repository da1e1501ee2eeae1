// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import TidelineModel
import TidelineStorage

/// One write transaction of a store: what a reader reads, and changes.
final class SQLiteWriter: SQLiteReader, TableWriter {
    private var savepoints = 0

    var model: EntityModel { context.model }

    override func position() throws -> FeedPosition { try restoring { try super.position() } }

    @discardableResult
    override func changes(_ query: ChangeQuery, _ receive: (ChangedKey) throws -> Void) throws -> FeedPosition? {
        try restoring { try super.changes(query, receive) }
    }

    override func changedSets(since position: FeedPosition) throws -> Set<String> {
        try restoring { try super.changedSets(since: position) }
    }

    /// Restores lost capture here and now: this is a write transaction.
    ///
    /// Nothing was received before it was noticed.
    private func restoring<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch is CaptureLost {
            let capture = Capture(connection: connection)
            let lost = try capture.lostTables()
            if !lost.isEmpty { try capture.restore(lost) }
            _ = try SearchIndex(connection: connection).update(context.model, lost: Set(lost.map(\.name)))
            return try body()
        }
    }

    // MARK: Writing

    func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        savepoints += 1
        let name = "tideline_\(savepoints)"
        defer { savepoints -= 1 }
        try run("SAVEPOINT \(name)")
        do {
            let result = try body()
            try requireTransaction()
            try run("RELEASE \(name)")
            return result
        } catch {
            // A trigger may have rolled back everything; then there is no savepoint left to go back to.
            if connection.isInsideTransaction {
                try run("ROLLBACK TO \(name)")
                try run("RELEASE \(name)")
            }
            throw error
        }
    }

    /// - Throws: when a trigger of the database rolled back the whole transaction.
    func requireTransaction() throws {
        guard connection.isInsideTransaction else {
            throw StorageError(.constraint, message: "A trigger of the database rolled back the transaction.")
        }
    }

    func insertRow(_ columns: [(place: Int, value: Value)], into set: EntitySet) throws -> Key {
        reuses.forget()
        let statements = context.statements(set)
        let insert = statements.insert(columns.map(\.place))
        let given = Key(insert.key?.map { columns[$0].value } ?? [])
        let isGiven = insert.key != nil && given.values.allSatisfy { if case .integer = $0 { true } else { false } }
        return try writing(set, nil, columns, \.self) {
            let statement = try PreparedStatement.cached(connection, isGiven ? insert.sql : insert.returning)
            defer { statement.reset() }
            for (parameter, column) in columns.enumerated() {
                try statements.writers[column.place].bind(column.value, statement, Int32(parameter + 1))
            }
            if isGiven {
                try statement.run(isChange: true)
                guard connection.changesCount > 0 else { throw StorageError.ignoredInsert(set) }
                return given
            }
            guard try statement.step(isChange: true) else { throw StorageError.ignoredInsert(set) }
            let inserted = Key(
                try set.type.key.enumerated().map { column, place in
                    try statements.readers[place].value(statement, Int32(column))
                }
            )
            try statement.run(isChange: true)
            return inserted
        }
    }

    func updateRow(_ key: Key, _ columns: [(place: Int, value: Value)], in set: EntitySet) throws -> Bool {
        reuses.forget()
        let statements = context.statements(set)
        let first = set.type.key.count + 1
        let sql = statements.update(columns.map(\.place))
        return try writing(set, key, columns, { _ in key }) {
            let statement = try PreparedStatement.cached(connection, sql)
            defer { statement.reset() }
            guard try statements.bind(key, to: statement) else { return false }
            for (number, column) in columns.enumerated() {
                try statements.writers[column.place].bind(column.value, statement, Int32(first + number))
            }
            try statement.run(isChange: true)
            return connection.changesCount > 0
        }
    }

    func deleteRow(_ key: Key, in set: EntitySet) throws -> Bool {
        reuses.forget()
        let statements = context.statements(set)
        return try changing {
            try namingReference(of: set, key, nil) {
                let statement = try PreparedStatement.cached(connection, statements.deleteByKey)
                defer { statement.reset() }
                guard try statements.bind(key, to: statement) else { return false }
                try statement.run(isChange: true)
                return connection.changesCount > 0
            }
        }
    }

    /// Writes a row, see ``withoutReplacing(_:isInsert:_:_:)``; errors leave with wire names.
    ///
    /// - Parameter key: that of a row that is there; `nil` for a new one.
    private func writing<Result>(
        _ set: EntitySet,
        _ key: Key?,
        _ columns: [(place: Int, value: Value)],
        _ written: (Result) -> Key,
        _ body: () throws -> Result
    ) throws -> Result {
        try changing {
            try namingReference(of: set, key, columns) {
                try withoutReplacing(set, isInsert: key == nil, written, body)
            }
        }
    }

    /// Runs the change of a row; errors leave with wire names.
    ///
    /// Where every table is as it was published, it is a trigger of the database's owner that names what is not there: it
    /// would the next time too, so the row is refused, and nothing waits for the domain to be published again.
    private func changing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try context.named(body)
        } catch let error as StorageError where error.code == .schemaChanged {
            guard !error.message.contains("tideline_"), try context.isAsPublished(in: connection) else { throw error }
            throw StorageError(.constraint, message: "A trigger of the database cannot run. \(error.message)")
        }
    }

    func perform(_ action: OperationCall) throws -> OperationResult {
        reuses.forget()
        try requireTransaction()
        let compiled = try context.compiled(action.operation)
        return try savepoint { try context.named { try compiled.run(action, on: connection) } }
    }

    func checkDeferredConstraints() throws {
        try requireTransaction()
        guard connection.openConstraints == 0 else {
            throw StorageError(
                .missingReference,
                message: "A referenced entity does not exist, or a deleted one is still referred to."
            )
        }
    }

    // MARK: Repeatable requests

    func setMark(_ mark: ClientMark, client: String) throws {
        let statement = try PreparedStatement.cached(
            connection,
            "INSERT OR REPLACE INTO tideline_clients(client, user, number) VALUES (?, ?, ?)"
        )
        statement.bind(client, 1)
        if let user = mark.user { statement.bind(user, 2) } else { statement.bindNull(2) }
        statement.bind(mark.transaction, 3)
        try statement.run()
    }

    func setAuthor(_ client: String, since position: FeedPosition) throws {
        // What is its doing may have ended it.
        try requireTransaction()
        try ChangeLog(connection: connection).setAuthor(client, since: position)
    }

    func keep(_ answer: KeptAnswer, client: String, request: String) throws {
        // What it answers may have ended it.
        try requireTransaction()
        let statement = try PreparedStatement.cached(
            connection,
            "INSERT OR REPLACE INTO tideline_answers(client, request, number, hash, answer) VALUES (?, ?, ?, ?, ?)"
        )
        statement.bind(client, 1)
        statement.bind(request, 2)
        if let number = answer.transaction { statement.bind(number, 3) } else { statement.bindNull(3) }
        statement.bind(answer.requestHash, 4)
        statement.bind(answer.bytes, 5)
        try statement.run()
    }

    func forgetAnswers(client: String, through transaction: Int64) throws {
        let statement = try PreparedStatement.cached(
            connection,
            "DELETE FROM tideline_answers WHERE client = ? AND number <= ?"
        )
        statement.bind(client, 1)
        statement.bind(transaction, 2)
        try statement.run()
    }

    func forgetAnswer(client: String, request: String) throws -> Bool {
        let isKept = try answer(client: client, request: request) != nil
        let statement = try PreparedStatement.cached(
            connection,
            "DELETE FROM tideline_answers WHERE client = ? AND request = ?"
        )
        statement.bind(client, 1)
        statement.bind(request, 2)
        try statement.run()
        return isKept
    }

    func forgetAnswers(olderThan seconds: Int64) throws {
        let statement = try PreparedStatement.cached(
            connection,
            "DELETE FROM tideline_answers WHERE number IS NULL AND kept_at < CAST(strftime('%s','now') AS INTEGER) - ?"
        )
        statement.bind(seconds, 1)
        try statement.run()
    }

    private func run(_ sql: String) throws { try PreparedStatement.cached(connection, sql).run() }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import TidelineModel
import TidelineStorage

/// One write transaction of a store: what a reader reads, and changes.
final class SQLiteWriter: SQLiteReader, StoreWriter {
    private var savepoints = 0

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

    /// - Throws: also for a set that can only be read: SQLite takes INSERT with RETURNING into any view and does nothing.
    private func requireWritable(_ set: EntitySet) throws {
        try requireTransaction()
        guard !set.isReadOnly else {
            throw StorageError(.unsupported, set: set.names.wire, message: "\(set.names.wire) can only be read.")
        }
    }

    func insert(_ values: [Int: Value], into set: EntitySet) throws -> Key {
        guard set.type.hasItems else { return try insertRow(values, into: set) }
        return try savepoint {
            let key = try insertRow(values, into: set)
            try putItems(values, key, in: set, isNew: true)
            return key
        }
    }

    private func insertRow(_ values: [Int: Value], into set: EntitySet) throws -> Key {
        try requireWritable(set)
        let statements = context.statements(set)
        let properties = set.type.properties
        let places = properties.indices.filter { place in
            properties[place].items == nil && set.type.takesValue(place)
                && (values[place] != nil || properties[place].defaultValue != nil)
        }
        let columns = places.map { SQLToken.name(properties[$0].names.database) }
        let what =
            places.isEmpty
            ? "DEFAULT VALUES"
            : "(\(columns.joined(separator: ", "))) VALUES (\(places.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))"
        let key = set.type.key.map { SQLToken.name(properties[$0].names.database) }.joined(separator: ", ")
        return try context.named {
            let statement = try PreparedStatement.cached(
                connection,
                "INSERT INTO \(statements.table) \(what) RETURNING \(key)"
            )
            defer { statement.reset() }
            for (parameter, place) in places.enumerated() {
                let value = values[place] ?? properties[place].defaultValue ?? .null
                try statements.writers[place].bind(value, statement, Int32(parameter + 1))
            }
            guard try statement.step() else {
                throw StorageError(
                    .constraint,
                    set: set.names.wire,
                    message: "A trigger of the database ignored the new entity."
                )
            }
            let inserted = Key(
                try set.type.key.enumerated().map { column, place in
                    try statements.readers[place].value(statement, Int32(column))
                }
            )
            while try statement.step() {}
            return inserted
        }
    }

    func update(_ key: Key, _ values: [Int: Value], in set: EntitySet) throws -> Bool {
        guard set.type.hasItems else { return try updateRow(key, values, in: set) }
        return try savepoint {
            guard try updateRow(key, values, in: set) else { return false }
            try putItems(values, key, in: set, isNew: false)
            return true
        }
    }

    private func updateRow(_ key: Key, _ values: [Int: Value], in set: EntitySet) throws -> Bool {
        try requireWritable(set)
        let statements = context.statements(set)
        let places = values.keys.filter { place in
            set.type.properties[place].generation != .always && set.type.properties[place].items == nil
        }.sorted()
        guard !places.isEmpty else { return try exists(key, in: set) }
        let keyCount = set.type.key.count
        let assignments = places.enumerated().map { parameter, place in
            "\(SQLToken.name(set.type.properties[place].names.database)) = ?\(keyCount + parameter + 1)"
        }
        return try context.named {
            let statement = try PreparedStatement.cached(
                connection,
                "UPDATE \(statements.table) SET \(assignments.joined(separator: ", ")) WHERE \(statements.keyCondition)"
            )
            defer { statement.reset() }
            guard try statements.bind(key, to: statement) else { return false }
            for (parameter, place) in places.enumerated() {
                try statements.writers[place].bind(
                    values[place] ?? .null,
                    statement,
                    Int32(keyCount + parameter + 1)
                )
            }
            try statement.run()
            return connection.changesCount > 0
        }
    }

    func delete(_ key: Key, in set: EntitySet) throws -> Bool {
        guard set.type.hasItems else { return try deleteRow(key, in: set) }
        return try savepoint {
            // They are the row's, whatever the foreign key says of deleting it.
            try clearItems(key, in: set)
            return try deleteRow(key, in: set)
        }
    }

    private func deleteRow(_ key: Key, in set: EntitySet) throws -> Bool {
        try requireWritable(set)
        let statements = context.statements(set)
        return try context.named {
            let statement = try PreparedStatement.cached(connection, statements.deleteByKey)
            defer { statement.reset() }
            guard try statements.bind(key, to: statement) else { return false }
            try statement.run()
            return connection.changesCount > 0
        }
    }

    func perform(_ action: OperationCall) throws -> OperationResult {
        try requireTransaction()
        let compiled = try context.compiled(action.operation)
        return try savepoint { try context.named { try compiled.run(action, on: connection) } }
    }

    func checkDeferredConstraints() throws {
        try requireTransaction()
        var open: Int32 = 0
        var highest: Int32 = 0
        unsafe sqlite3_db_status(connection.sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &open, &highest, 0)
        guard open == 0 else {
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

    func keep(_ answer: KeptAnswer, client: String, request: String) throws {
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

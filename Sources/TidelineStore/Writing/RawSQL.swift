// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite
public import TidelineModel
import TidelineStorage

/// SQL inside ``LocalStore/raw(_:)``: one statement a call, with positional values.
///
/// Tables and columns are named as on the wire; values have the storage forms of the file.
public final class RawSQL {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Runs one INSERT, UPDATE, DELETE or REPLACE.
    ///
    /// - Returns: the number of rows changed.
    /// - Throws: ``LocalStoreError/Code/invalidSQL`` for any other statement, and for what SQLite refuses.
    @discardableResult
    public func execute(_ sql: String, _ arguments: [Value] = []) throws -> Int {
        let statement = try prepare(sql, arguments, ["INSERT", "REPLACE", "UPDATE", "DELETE", "WITH"])
        try statement.run()
        return statement.changes
    }

    /// The rows of one SELECT.
    public func rows(_ sql: String, _ arguments: [Value] = []) throws -> [[Value]] {
        let statement = try prepare(sql, arguments, ["SELECT", "WITH", "VALUES"])
        var rows: [[Value]] = []
        while try statement.step() {
            rows.append(
                (0..<Int32(statement.columnCount)).map { column in
                    switch statement.value(column) {
                    case .null: .null
                    case .integer(let value): .integer(value)
                    case .double(let value): .double(value)
                    case .text(let text): unsafe .string(String(decoding: text, as: UTF8.self))
                    case .blob(let blob): unsafe .binary([UInt8](blob))
                    }
                }
            )
        }
        return rows
    }

    private func prepare(_ sql: String, _ arguments: [Value], _ verbs: Set<String>) throws -> Statement {
        try connection.checkTransaction()
        let verb = sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
        guard verbs.contains(verb) else {
            throw LocalStoreError(
                .invalidSQL,
                message: "A statement here begins with one of: \(verbs.sorted().joined(separator: ", "))."
            )
        }
        let statement = try Statement(connection.database, sql)
        guard statement.parameterCount == arguments.count else {
            throw LocalStoreError(
                .invalidSQL,
                message: "The statement has \(statement.parameterCount) parameters, not \(arguments.count)."
            )
        }
        for (index, value) in arguments.enumerated() { statement.bind(SQLText.stored(value), Int32(index + 1)) }
        return statement
    }
}

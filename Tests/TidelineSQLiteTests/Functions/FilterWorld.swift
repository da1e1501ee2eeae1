// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineStorageTesting

extension ExpressionWorld {
    /// The database with the rows, in memory.
    func database() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { connection in
            guard let handle = unsafe connection.sqliteConnection else { return }
            try unsafe SQLiteFunctions.register(on: handle)
            for (set, rows) in zip(model.sets, Self.rows) {
                let columns = set.type.properties.map { "\"\($0.names.database)\"" }.joined(separator: ", ")
                try connection.execute(sql: "CREATE TABLE \"\(set.names.database)\" (\(columns))")
                for row in rows {
                    let stored = try zip(values(row, set), set.type.properties).map { value, property in
                        try #require(self.stored(value, property), "\(property.names.wire) in \(forms)")
                    }
                    let marks = stored.map { _ in "?" }.joined(separator: ", ")
                    try connection.execute(
                        sql: "INSERT INTO \"\(set.names.database)\" VALUES (\(marks))",
                        arguments: StatementArguments(stored.map(\.databaseValue))
                    )
                }
            }
        }
        return queue
    }

    /// The first columns of the rows that a plan reads.
    static func run(_ statement: SelectStatement, _ outer: [SQLValue] = [], on queue: DatabaseQueue) throws -> [Int] {
        try queue.read { connection in
            let arguments = StatementArguments((outer + statement.bindings).map(\.databaseValue))
            return try Int.fetchAll(connection, sql: statement.text, arguments: arguments)
        }
    }
}

extension SQLValue {
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value), .typed(let value, _): value.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import GRDBSQLite
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineService

/// The published database that T1 and T5 read: rows of 7 columns, about 209 bytes of JSON each.
enum SourceDatabase {
    static let table = """
        CREATE TABLE Items (
            Id INTEGER PRIMARY KEY NOT NULL,
            Code VARCHAR(20) NOT NULL,
            Name VARCHAR(80) NOT NULL,
            Quantity INT NOT NULL,
            Weight REAL NOT NULL,
            Note VARCHAR(80),
            Place VARCHAR(40) NOT NULL
        )
        """

    /// The same rows by PostgreSQL itself.
    static func postgresRows(_ rows: Int) -> String {
        """
        INSERT INTO Items SELECT n, 'C' || n % 9973, 'The item with the number ' || n, n % 1000,
        (n % 5000) / 8.0, 'note number ' || n % 100 || ' with some words so that it has a length of its own',
        'shelf ' || n % 50 || ', aisle ' || n % 7 FROM generate_series(1, \(rows)) AS n
        """
    }

    static let insert = "INSERT INTO Items VALUES (?, ?, ?, ?, ?, ?, ?)"

    /// Makes the file with its rows, by one prepared statement in one transaction: the limit of T5.
    ///
    /// - Returns: the seconds that the rows took.
    static func make(_ path: String, rows: Int) throws -> Double {
        let pool = try DatabasePool(path: path)
        try pool.write { try $0.execute(sql: table) }
        let notes = (0..<100).map { "note number \($0) with some words so that it has a length of its own" }
        let places = (0..<50).map { "shelf \($0), aisle \($0 % 7)" }
        return try Measuring.seconds {
            try pool.write { connection in
                let prepared = try connection.makeStatement(sql: insert)
                // GRDB finalises the statement with its last reference.
                defer { withExtendedLifetime(prepared) {} }
                let statement = prepared.sqliteStatement
                for row in 1...rows {
                    sqlite3_bind_int64(statement, 1, Int64(row))
                    bind(statement, 2, "C\(row % 9973)")
                    bind(statement, 3, "The item with the number \(row)")
                    sqlite3_bind_int64(statement, 4, Int64(row % 1000))
                    sqlite3_bind_double(statement, 5, Double(row % 5000) / 8)
                    bind(statement, 6, notes[row % 100])
                    bind(statement, 7, places[row % 50])
                    guard sqlite3_step(statement) == SQLITE_DONE else { throw DatabaseError() }
                    sqlite3_reset(statement)
                }
            }
        }
    }

    /// Publishes the file and answers for it in this process.
    static func service(_ path: String, spoolFolder: String) throws -> ODataService {
        let found = try SQLitePublisher.publish(path: path, namespace: "Bench") { _ in }
        let domain = Domain(name: "bench", database: .init(path: path), isOpen: true, model: found.model)
        let store = try SQLiteStore(path: path, model: found.model)
        let key = [UInt8](repeating: 7, count: 32)
        return try ODataService(domain: domain, store: store, signingKey: key, spoolFolder: spoolFolder)
    }

    private static func bind(_ statement: OpaquePointer?, _ place: Int32, _ text: String) {
        var text = text
        text.withUTF8 { bytes in
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            _ = bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(statement, place, $0.baseAddress, Int32($0.count), transient)
            }
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel

/// A program that knows nothing of the service, and writes to the file of its database with SQL.
///
/// SQLite numbers what it adds to a table without AUTOINCREMENT: with the key of the row that is gone, where that was the
/// last one.
enum OtherProgram {
    private static let mark = "o"

    /// Whether a value is one that it wrote.
    static func wrote(_ value: Value) -> Bool {
        value.text.map { WrittenValue.event(of: $0) != nil && $0.hasSuffix(mark) } ?? false
    }

    /// Whether a row is one that it made where another one stood: it writes whole rows alone.
    ///
    /// - Parameter texts: those that stood under the key so far.
    static func made(_ row: [Value], after texts: Set<String>) -> Bool {
        row.contains { wrote($0) && !texts.contains($0.text ?? "") }
    }

    /// Adds an entry to a diary, or a trip of the newest boat, now and then in place of the newest one.
    ///
    /// - Returns: what was done, for people.
    static func write(to path: String, event: Int, _ chance: inout Chance) throws -> String {
        let owner = chance.number(1...3)
        let (table, insert) =
            chance.once(in: 2)
            ? ("Trips", "INSERT INTO Trips (BoatId, Name) SELECT Id, ? FROM Boats ORDER BY Id DESC LIMIT 1")
            : (Regatta.diary, "INSERT INTO Diary (Owner, Name) VALUES (\(owner), ?)")
        let replaces = chance.once(in: 2)
        let queue = try DatabaseQueue(path: path)
        let key = try queue.write { database -> Int64? in
            if replaces {
                try database.execute(sql: "DELETE FROM \(table) WHERE Id = (SELECT MAX(Id) FROM \(table))")
            }
            try database.execute(sql: insert, arguments: [WrittenValue.text(event: event, place: 0, mark)])
            return database.changesCount > 0 ? database.lastInsertedRowID : nil
        }
        try queue.close()
        let made = key.map { "insert (\($0)) into \(table)" } ?? "nothing"
        return (replaces ? "delete the last and " : "") + made + " by SQL"
    }
}

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

    /// Adds an entry to a diary, now and then in place of the newest one.
    ///
    /// - Returns: what was done, for people.
    static func write(to path: String, event: Int, _ chance: inout Chance) throws -> String {
        let (owner, replaces) = (chance.number(1...3), chance.once(in: 2))
        let name = WrittenValue.text(event: event, place: 0, mark)
        let queue = try DatabaseQueue(path: path)
        let key = try queue.write { database in
            if replaces { try database.execute(sql: "DELETE FROM Diary WHERE Id = (SELECT MAX(Id) FROM Diary)") }
            try database.execute(sql: "INSERT INTO Diary (Owner, Name) VALUES (?, ?)", arguments: [owner, name])
            return database.lastInsertedRowID
        }
        try queue.close()
        return "\(replaces ? "delete the last and " : "")insert (\(key)) into Diary by SQL"
    }
}

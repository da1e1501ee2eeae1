// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension SQLiteWriter {
    /// Writes a row, and refuses it where others gave way to it through an `ON CONFLICT REPLACE` of the table.
    ///
    /// Who writes a row means that one: of the others nobody would be asked, not even whether they may be seen. `INSERT OR
    /// ABORT` would rule in the triggers of the database too. So the change log tells, whose triggers note each row that may
    /// be in the way; whoever catches the error takes the change back.
    ///
    /// - Parameters:
    ///   - isInsert: whether the row is a new one.
    ///   - written: the key under which the log has the row that was written.
    /// - Throws: `duplicateKey`, `duplicateValue`; what the body throws.
    func withoutReplacing<Result>(
        _ set: EntitySet,
        isInsert: Bool,
        _ written: (Result) -> Key,
        _ body: () throws -> Result
    ) throws -> Result {
        guard context.replaces(set) else { return try body() }
        let last = try PreparedStatement.cached(connection, "SELECT coalesce(max(seq), 0) FROM tideline_log")
        _ = try last.step()
        let before = last.integer(0)
        last.reset()
        let result = try body()
        let key = written(result)
        let rivals = try rivals(of: key, isInsert: isInsert, in: set, since: before)
        if isInsert, rivals.contains(key) {
            throw StorageError(.duplicateKey, set: set.names.wire, message: "An entity with this key exists.")
        }
        // The log names what would give way to REPLACE; what is there still did not.
        for rival in rivals where rival != key {
            if let rival, try exists(rival, in: set) { continue }
            throw StorageError(.duplicateValue, set: set.names.wire, message: "Another entity has this value.")
        }
        return result
    }

    /// The rows that were in the way of a written one, by their keys, before it took its place; `nil` for a key that is
    /// none of the entity type's.
    ///
    /// What a trigger of the database replaces after that is its owner's affair. A new row takes its place when it is
    /// logged as one; a row that is updated may be updated by a trigger before, too.
    private func rivals(of key: Key, isInsert: Bool, in set: EntitySet, since before: Int64) throws -> [Key?] {
        let log = ChangeLog(connection: connection)
        guard let captured = try log.captured(set.names.database) else { throw StorageError.uncaptured(set) }
        let decoder = try LogDecoder(set: set, table: captured.table, model: context.model)
        let statement = try PreparedStatement.cached(
            connection,
            "SELECT key, operation FROM tideline_log WHERE seq > ? AND set_name = ? ORDER BY seq"
        )
        defer { statement.reset() }
        statement.bind(before, 1)
        statement.bind(set.names.database, 2)
        var rivals: [Key?] = []
        var met: [Key?] = []
        var isWritten = false
        while try statement.step() {
            let entry = try unsafe decoder.key(statement.text(0))
            if statement.string(1) == "R" {
                met.append(entry)
            } else if entry == key {
                rivals += met
                (met, isWritten) = ([], true)
                if isInsert, statement.string(1) == "I" { break }
            }
        }
        return isWritten ? rivals : met
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension SQLiteWriter {
    /// Runs the change of a row, and refuses it where rows gave way to it through an `ON CONFLICT REPLACE` of the table.
    ///
    /// Who writes a row means that one: of the others nobody would be asked, not even whether they may be seen. `INSERT OR
    /// ABORT` would rule in the triggers of the database too. So the change log tells, whose triggers note each row that is
    /// in the way; whoever catches the error takes the change back.
    ///
    /// - Throws: `duplicateKey`, `duplicateValue`; what the body throws.
    func withoutReplacing<Result>(_ set: EntitySet, _ body: () throws -> Result) throws -> Result {
        guard context.replaces(set) else { return try body() }
        let last = try PreparedStatement.cached(connection, "SELECT coalesce(max(seq), 0) FROM tideline_log")
        _ = try last.step()
        let before = last.integer(0)
        last.reset()
        let result = try body()
        let replaced = try PreparedStatement.cached(
            connection,
            """
            SELECT EXISTS (SELECT 1 FROM tideline_log AS i
                WHERE i.seq > ?1 AND i.set_name = r.set_name AND i.key = r.key AND i.operation = 'I')
            FROM tideline_log AS r WHERE r.seq > ?1 AND r.set_name = ?2 AND r.operation = 'R' LIMIT 1
            """
        )
        defer { replaced.reset() }
        replaced.bind(before, 1)
        replaced.bind(set.names.database, 2)
        guard try replaced.step() else { return result }
        throw replaced.integer(0) == 1
            ? StorageError(.duplicateKey, set: set.names.wire, message: "An entity with this key exists.")
            : StorageError(.duplicateValue, set: set.names.wire, message: "Another entity has this value.")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The hidden table of a set that holds the changes of a delta until they are applied.
///
/// It is made when the first change comes, and emptied, not dropped, when they are applied: after each change of the
/// schema all connections of the file would compile their statements anew.
struct StagingTable {
    let set: SetLayout
    let connection: Connection

    init(_ set: SetLayout, _ connection: Connection) {
        self.set = set
        self.connection = connection
    }

    /// Whether nothing is staged, where the table is there.
    func isEmpty() throws -> Bool { try !connection.exists("SELECT 1 FROM main.\(set.stageTable)") { _ in } }

    func make() throws {
        try connection.run("CREATE TABLE IF NOT EXISTS main.\(set.stageTable) \(set.declaration(staging: true))")
    }

    func empty() throws { try connection.run("DELETE FROM main.\(set.stageTable)") }

    /// What is staged of a row: its values, and 0, or the reason of its removal.
    func change(of key: [Value]) throws -> (row: StoredRow, reason: Int64)? {
        let sql = """
            SELECT \(set.list(set.columns.indices)), tideline_etag, tideline_reason
            FROM main.\(set.stageTable) WHERE \(set.matches(set.key))
            """
        return try connection.query(sql, { connection.append(key, set.key, set, to: $0) }) {
            (row: try Connection.row($0, set), reason: $0.integer(Int32(set.columns.count + 1)))
        }.first
    }

    func remove(_ key: [Value]) throws {
        try connection.run("DELETE FROM main.\(set.stageTable) WHERE \(set.matches(set.key))") {
            connection.append(key, set.key, set, to: $0)
        }
    }

    /// Whether a change of that row is staged.
    func holds(_ key: [Value]) throws -> Bool {
        try connection.exists("SELECT 1 FROM main.\(set.stageTable) WHERE \(set.matches(set.key))") {
            connection.append(key, set.key, set, to: $0)
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStorage

/// The keys that SQLite gave to a new row after another one that had them was deleted.
///
/// A device that changed the deleted row must not change the new one, so the ETag of the new one tells of it. The store
/// itself gives no key twice; other programs that write the table may.
struct KeyReuse {
    /// The state that tells that reuses are noted.
    static let state = "reuse"
    static let tableNames = ["tideline_keys", "tideline_reused"]
    static let statements = [
        """
        CREATE TABLE tideline_keys(table_name TEXT PRIMARY KEY NOT NULL, highest INTEGER NOT NULL, named INTEGER) \
        WITHOUT ROWID
        """,
        """
        CREATE TABLE tideline_reused(table_name TEXT NOT NULL, key INTEGER NOT NULL, number INTEGER NOT NULL, \
        PRIMARY KEY(table_name, key)) WITHOUT ROWID
        """,
    ]

    private let table: String
    private let statement: PreparedStatement

    /// The reuses in a table.
    ///
    /// - Parameter connection: in the transaction in which it is asked.
    init(_ table: String, on connection: Database) throws {
        self.table = table
        statement = try PreparedStatement.cached(
            connection,
            "SELECT number FROM tideline_reused WHERE table_name = ? AND key = ?"
        )
    }

    /// The ETag of the row of a key, given the hash of its values.
    func etag(_ content: ETag, of key: Int64) throws -> ETag {
        guard let number = try number(of: key) else { return content }
        return ETag(content, reuse: UInt32(truncatingIfNeeded: number))
    }

    /// What tells this use of a key from the others: the number of the entry in the log that it came with; `nil` where it is
    /// the first use.
    func number(of key: Int64) throws -> Int64? {
        defer { statement.reset() }
        statement.bind(table, 1)
        statement.bind(key, 2)
        return try statement.step() ? statement.integer(0) : nil
    }

    // MARK: Capture

    /// Begins to note the keys that a table gives up, those that the log tells of included.
    static func watch(_ table: String, _ capture: Capture) throws {
        let name = SQLToken.text(table)
        try capture.run(
            """
            INSERT INTO tideline_keys(table_name, highest) SELECT \(name), coalesce((SELECT max(CAST(key AS INTEGER)) \
            FROM tideline_log WHERE set_name = \(name) AND operation <> 'I'), 0) \
            WHERE NOT EXISTS (SELECT 1 FROM tideline_keys WHERE table_name = \(name))
            """
        )
    }

    /// Ends that, where the table has another key.
    static func forget(_ table: String, _ capture: Capture) throws {
        guard try capture.state(state) != nil else { return }
        try capture.run("DELETE FROM tideline_keys WHERE table_name = \(SQLToken.text(table))")
    }

    /// Lets a table give no key up to one.
    static func raise(_ table: String, to key: Int64, _ capture: Capture) throws {
        try watch(table, capture)
        try capture.run(
            "UPDATE tideline_keys SET highest = \(key) WHERE table_name = \(SQLToken.text(table)) AND highest < \(key)"
        )
    }

    /// The tables whose reuses are noted.
    static func watched(_ connection: Database) throws -> Set<String> {
        let statement = try PreparedStatement(connection, "SELECT table_name FROM tideline_keys")
        var names: Set<String> = []
        while try statement.step() { names.insert(statement.string(0) ?? "") }
        return names
    }
}

extension Capture {
    /// Notes reuses from now on, in a database that was published before they were noted.
    ///
    /// In a write transaction, after what was lost is restored. No change passes meanwhile: the epoch stays.
    func noteReuse() throws {
        guard try state(KeyReuse.state) == nil else { return }
        for sql in KeyReuse.statements { try run(sql) }
        try setState(KeyReuse.state, "1")
        for table in try lostTables() { try createTriggers(table) }
        try renewGuard()
    }
}

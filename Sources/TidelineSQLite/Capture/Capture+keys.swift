// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// The integer keys that SQLite counts, across the way back to a copy.
extension Capture {
    /// The highest key that was given in each captured table whose keys SQLite counts.
    func givenKeys() throws -> [String: Int64] {
        var keys: [String: Int64] = [:]
        for table in try isInstalled() ? tables() : [] {
            guard let shape = try TableShape(table.name, in: connection), let column = shape.rowIDColumn else {
                continue
            }
            var highest = [
                try number("SELECT max(\(SQLToken.name(column))) FROM \(SQLToken.name(table.name))")
            ]
            let name = SQLToken.text(table.name)
            if shape.hasAutoincrement {
                highest.append(try number("SELECT seq FROM sqlite_sequence WHERE name = \(name)"))
            } else if try state(KeyReuse.state) != nil {
                highest.append(try number("SELECT highest FROM tideline_keys WHERE table_name = \(name)"))
            }
            keys[table.name] = highest.compactMap(\.self).max()
        }
        return keys
    }

    /// Lets tables give no key up to these.
    ///
    /// In a write transaction.
    func keep(_ keys: [String: Int64]) throws {
        for (table, key) in keys.sorted(by: { $0.key < $1.key }) {
            guard let shape = try TableShape(table, in: connection), shape.rowIDColumn != nil else { continue }
            guard shape.hasAutoincrement else {
                try KeyReuse.raise(table, to: key, self)
                continue
            }
            let name = SQLToken.text(table)
            try run(
                "INSERT INTO sqlite_sequence(name, seq) SELECT \(name), 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = \(name))"
            )
            try run("UPDATE sqlite_sequence SET seq = \(key) WHERE name = \(name) AND seq < \(key)")
        }
    }

    private func number(_ sql: String) throws -> Int64? {
        let statement = try PreparedStatement(connection, sql)
        defer { statement.reset() }
        return try statement.step() && statement.storageClass(0) == .integer ? statement.integer(0) : nil
    }
}

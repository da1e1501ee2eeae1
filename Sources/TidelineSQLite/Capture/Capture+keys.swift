// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// The integer keys that SQLite counts, across the way back to a copy.
extension Capture {
    /// How many keys a table is taken to have given at least since a copy was made, where nobody knows.
    ///
    /// Few enough for keys of 32 bits to last, more than a table gives between two backups.
    static let margin: Int64 = 1_000_000

    /// What was given; `nil` where the database is not published.
    func givenKeys() throws -> GivenKeys? {
        guard try isInstalled() else { return nil }
        var given = GivenKeys(entry: try sequence(of: Self.logName))
        for table in try tables() { given.highest[table.name] = try highestKey(of: table.name) }
        return given
    }

    /// Lets tables give no key up to those that were given; where it is not known which were, none of the next million.
    ///
    /// In a write transaction, in the copy.
    ///
    /// - Parameters:
    ///   - given: `nil` where nothing is known.
    ///   - names: the tables of the model.
    func keep(_ given: GivenKeys?, of names: Set<String>) throws {
        let given = given ?? GivenKeys()
        for table in names.union(given.highest.keys).union(try tables().map(\.name)).sorted() {
            guard let shape = try TableShape(table, in: connection), let known = try highestKey(of: table) else {
                continue
            }
            let key = given.highest[table] ?? beyond(known)
            try shape.hasAutoincrement ? raiseSequence(of: table, to: key) : KeyReuse.raise(table, to: key, self)
        }
        // The number of an entry tells one use of a key from another, so none is given twice. By chance where nobody knows
        // them: the same backup may be put back again and again, and the same writes may follow.
        let newest = try sequence(of: Self.logName) ?? 0
        try raiseSequence(of: Self.logName, to: given.entry ?? newest + Int64.random(in: 1...Int64(UInt32.max)))
    }

    /// A key that is a million or more beyond one, where there are so many.
    ///
    /// How far it is up to chance, so that the keys which were given after a loss are not given again where the same backup is
    /// put back after the next.
    private func beyond(_ key: Int64) -> Int64 {
        key < .max - 2 * Self.margin ? key + Int64.random(in: Self.margin...(2 * Self.margin)) : key
    }

    private static var logName: String { "tideline_log" }

    /// The highest key that a table has given, as far as the database tells; `nil` where SQLite does not count its keys.
    private func highestKey(of table: String) throws -> Int64? {
        guard let shape = try TableShape(table, in: connection), let column = shape.rowIDColumn else { return nil }
        var keys = [try number("SELECT max(\(SQLToken.name(column))) FROM \(SQLToken.name(table))")]
        if shape.hasAutoincrement {
            keys.append(try sequence(of: table))
        } else if try state(KeyReuse.state) != nil {
            keys.append(
                try number("SELECT highest FROM tideline_keys WHERE table_name = \(SQLToken.text(table))")
            )
        }
        return keys.compactMap(\.self).max() ?? 0
    }

    /// The highest key that a table with AUTOINCREMENT has given; `nil` where it has given none.
    private func sequence(of table: String) throws -> Int64? {
        try number("SELECT seq FROM sqlite_sequence WHERE name = \(SQLToken.text(table))")
    }

    private func raiseSequence(of table: String, to key: Int64) throws {
        let name = SQLToken.text(table)
        try run(
            "INSERT INTO sqlite_sequence(name, seq) SELECT \(name), 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = \(name))"
        )
        try run("UPDATE sqlite_sequence SET seq = \(key) WHERE name = \(name) AND seq < \(key)")
    }

    private func number(_ sql: String) throws -> Int64? {
        let statement = try PreparedStatement(connection, sql)
        defer { statement.reset() }
        return try statement.step() && statement.storageClass(0) == .integer ? statement.integer(0) : nil
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// The integer keys that SQLite counts, across the way back to a copy.
extension Capture {
    /// The captured tables that know their rows by a key which SQLite counts.
    func countedTables() throws -> Set<String> {
        var names: Set<String> = []
        for table in try tables() {
            guard let column = try TableShape(table.name, in: connection)?.rowIDColumn else { continue }
            if table.key == [column] { names.insert(table.name) }
        }
        return names
    }

    /// What was given; `nil` where the database is not published.
    func givenKeys() throws -> GivenKeys? {
        guard try isInstalled() else { return nil }
        var given = GivenKeys(entry: try sequence(of: Self.logName) ?? 0)
        let notesReuse = try state(KeyReuse.state) != nil
        for table in try tables() {
            guard let shape = try TableShape(table.name, in: connection), let column = shape.rowIDColumn else {
                continue
            }
            var highest = [
                try number("SELECT max(\(SQLToken.name(column))) FROM \(SQLToken.name(table.name))")
            ]
            if notesReuse, try KeyReuse.isDoubted(table.name, self) { given.doubted.insert(table.name) }
            if shape.hasAutoincrement {
                highest.append(try sequence(of: table.name))
            } else if notesReuse {
                let name = SQLToken.text(table.name)
                highest.append(try number("SELECT highest FROM tideline_keys WHERE table_name = \(name)"))
            }
            given.highest[table.name] = highest.compactMap(\.self).max() ?? 0
        }
        return given
    }

    /// Lets tables give no key up to those that were given; where it is not known which were, each that SQLite gives from
    /// now on counts as given again.
    ///
    /// In a write transaction.
    ///
    /// - Parameters:
    ///   - given: `nil` where nothing is known.
    ///   - names: the tables of the model.
    func keep(_ given: GivenKeys?, of names: Set<String>) throws {
        let given = given ?? GivenKeys()
        for (table, key) in given.highest.sorted(by: { $0.key < $1.key }) {
            guard let shape = try TableShape(table, in: connection), shape.rowIDColumn != nil else { continue }
            if shape.hasAutoincrement {
                try raiseSequence(of: table, to: key)
            } else {
                try KeyReuse.raise(table, to: key, self)
            }
        }
        // The number of an entry tells one use of a key from another, so none is given twice. By chance where nobody knows
        // them: the same backup may be put back again and again, and the same writes may follow.
        let newest = try sequence(of: Self.logName) ?? 0
        try raiseSequence(of: Self.logName, to: given.entry ?? newest + Int64.random(in: 1...Int64(UInt32.max)))
        try doubt(names.union(try tables().map(\.name)).subtracting(given.highest.keys).union(given.doubted))
    }

    /// Lets each key that SQLite gives in these tables from now on count as given again.
    private func doubt(_ names: Set<String>) throws {
        let counted = try names.filter { try TableShape($0, in: connection)?.rowIDColumn != nil }
        guard !counted.isEmpty else { return }
        // What capture has lost is told, and made again, when the database is opened.
        let lost = Set(try lostTables().map(\.name))
        for name in counted.sorted() { try KeyReuse.doubt(name, self) }
        for table in try tables() where counted.contains(table.name) && !lost.contains(table.name) {
            try createTriggers(table)
        }
        try renewGuard()
    }

    private static var logName: String { "tideline_log" }

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

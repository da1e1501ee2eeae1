// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
public import TidelineStorage

/// Looks at the tables and views of a SQLite database.
public enum SQLiteIntrospection {
    /// Looks at a database and at the values in it; changes nothing.
    ///
    /// - Parameters:
    ///   - path: the database file.
    ///   - namespace: the namespace of the model, a dotted name.
    ///   - viewKeys: the columns that are the key of a view, by the view's name in the database.
    ///   - skipping: tables, and columns as `table.column`, that are left out on purpose, by their names in the database.
    ///   - guesses: what is decided although it is doubtful.
    /// - Returns: the model and the problems.
    /// - Throws: ``StorageError`` when the file cannot be read.
    public static func scan(
        path: String,
        namespace: String,
        viewKeys: [String: [String]] = [:],
        skipping: Set<String> = [],
        guesses: Set<Guess> = []
    ) throws -> Introspection {
        let queue = try SQLiteConnections.queue(path: path, isReadOnly: true)
        return try SQLiteStore.mapped {
            try queue.read { connection in
                var introspector = Introspector(
                    connection: connection,
                    namespace: namespace,
                    viewKeys: viewKeys,
                    skipping: skipping,
                    guesses: guesses
                )
                return try introspector.run()
            }
        }
    }
}

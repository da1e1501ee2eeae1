// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineStorage

/// Looks at the tables and views of a PostgreSQL database.
public enum PostgresIntrospection {
    /// Looks at one schema of a database and at the values in it; changes nothing.
    ///
    /// - Parameters:
    ///   - conninfo: a URL or `key=value` pairs, as libpq reads them.
    ///   - schema: the schema whose tables are published.
    ///   - namespace: the namespace of the model, a dotted name.
    ///   - viewKeys: the columns that are the key of a view, by the view's name in the database.
    ///   - skipping: tables, and columns as `table.column`, that are left out on purpose, by their names in the database.
    ///   - guesses: what is decided although it is doubtful.
    /// - Returns: the model and the problems.
    /// - Throws: ``StorageError`` when the database cannot be read.
    public static func scan(
        conninfo: String,
        schema: String = "public",
        namespace: String,
        viewKeys: [String: [String]] = [:],
        skipping: Set<String> = [],
        guesses: Set<Guess> = []
    ) throws -> Introspection {
        try PostgresConnection.mapped {
            let connection = try PostgresPublisher.connection(conninfo, schema: schema)
            return try connection.transaction(.read) {
                var introspector = Introspector(
                    connection: connection,
                    schema: schema,
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

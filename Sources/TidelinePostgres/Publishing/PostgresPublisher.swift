// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

/// Publishes a database in place, and takes that back without a trace.
public enum PostgresPublisher {
    /// The oldest server that has what is needed: `xid8` and snapshots of it.
    static let oldestServer = 130_000

    /// Looks at a schema and adds change capture to its tables, all in one transaction.
    ///
    /// Tables and views that cannot be published are left out; `problems` of the result names each and says what to do.
    ///
    /// - Parameters:
    ///   - conninfo: a URL or `key=value` pairs, as libpq reads them; the role owns the tables.
    ///   - schema: the schema whose tables are published.
    ///   - namespace: the namespace of the model.
    ///   - viewKeys: the columns that are the key of a view, by the view's name in the database.
    ///   - skipping: tables, and columns as `table.column`, that are left out on purpose, by their names in the database.
    ///   - guesses: what is decided although it is doubtful.
    ///   - scopes: makes, from the model, the wire names of the properties whose changes narrow deltas, by the wire
    ///     name of their set.
    ///   - isLeftover: asked when the database is published already: whether this may be the same domain, published
    ///     again, or one whose process ended before it renamed its file. Capture then follows the tables of now; the
    ///     log, and what is known of devices, stay.
    ///   - beforeCommit: gets the result inside the transaction. The caller writes a temporary copy of its file here
    ///     and renames it into place when `publish` has returned; when it throws, nothing has changed.
    /// - Returns: what was found and published.
    /// - Throws: ``StorageError``: `unsupported` when the database is published already, or when all of its tables are
    ///   refused; what `beforeCommit` throws.
    @discardableResult
    public static func publish(
        conninfo: String,
        schema: String = "public",
        namespace: String,
        viewKeys: [String: [String]] = [:],
        skipping: Set<String> = [],
        guesses: Set<Guess> = [],
        scopes: (EntityModel) -> [String: [String]] = { _ in [:] },
        isLeftover: () -> Bool = { false },
        beforeCommit: (Introspection) throws -> Void
    ) throws -> Introspection {
        try PostgresConnection.mapped {
            let connection = try connection(conninfo, schema: schema)
            return try connection.transaction(.write) {
                let capture = Capture(connection: connection)
                if try holdsForeignTables(connection) { throw notOurs }
                let isInstalled = try capture.isInstalled()
                guard !isInstalled || isLeftover() else { throw StorageError.publishedAlready }
                try requireRight(connection)
                var introspector = Introspector(
                    connection: connection,
                    schema: schema,
                    namespace: namespace,
                    viewKeys: viewKeys,
                    skipping: skipping,
                    guesses: guesses
                )
                let found = try introspector.run()
                try found.requireSomething()
                let columns = try Introspection.scopeColumns(scopes(found.model), model: found.model)
                let tables = tables(of: found.model, schema: schema, scopes: columns)
                if isInstalled {
                    try capture.follow(tables)
                    try capture.setScopes(columns, schema: schema)
                } else {
                    try capture.install(tables)
                }
                try PostgresFunctions.install(on: connection)
                try beforeCommit(found)
                return found
            }
        }
    }

    /// Removes all that publishing added; the schema is then what it was.
    ///
    /// `beforeCommit`: what must succeed together with it, run inside the transaction.
    /// - Throws: ``StorageError/Code/unsupported`` when the database is not published; what `beforeCommit` throws.
    public static func unpublish(conninfo: String, beforeCommit: () throws -> Void = {}) throws {
        try PostgresConnection.mapped {
            let connection = try connection(conninfo, schema: nil)
            try connection.transaction(.write) {
                let capture = Capture(connection: connection)
                guard try capture.isInstalled() else { throw StorageError.notPublished }
                try capture.remove()
                try beforeCommit()
            }
        }
    }

    /// Whether a database carries change capture of ours.
    public static func isPublished(conninfo: String) throws -> Bool {
        try PostgresConnection.mapped {
            try Capture(connection: connection(conninfo, schema: nil)).isInstalled()
        }
    }

    /// A connection for publishing, without a limit on the time of a statement: tables are read whole.
    ///
    /// - Throws: ``StorageError/Code/unsupported`` for a server that is too old, a database in another encoding, a
    ///   schema that does not exist.
    static func connection(_ conninfo: String, schema: String?) throws -> PostgresConnection {
        let connection = try PostgresConnection(conninfo, options: .init(statementTimeout: .zero))
        guard connection.serverVersion >= oldestServer else {
            let version = "\(connection.serverVersion / 10_000)"
            throw StorageError(
                .unsupported,
                message: "The server is PostgreSQL \(version); Tideline needs PostgreSQL 13 or newer."
            )
        }
        let row = try connection.query(
            "SELECT current_setting('server_encoding'), to_regnamespace(quote_ident($1)) IS NOT NULL",
            [schema.map(SQLValue.text) ?? .null]
        )[0]
        guard row.string(0) == "UTF8" else {
            throw StorageError(
                .unsupported,
                message: "The database's encoding is \(row.string(0) ?? "unknown"); Tideline needs UTF8."
            )
        }
        guard let schema else { return connection }
        guard row.boolean(1) == true else {
            let names = try connection.query(
                """
                SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname NOT LIKE 'pg\\_%'
                AND nspname NOT IN ('information_schema', 'tideline') ORDER BY nspname
                """
            ).compactMap { $0.string(0) }
            throw StorageError(
                .unsupported,
                message: "The database has no schema \(schema); it has \(names.joined(separator: ", "))."
            )
        }
        return connection
    }

    /// Whether there is a schema of our name with tables that are not ours.
    private static func holdsForeignTables(_ connection: PostgresConnection) throws -> Bool {
        try connection.query(
            """
            SELECT to_regclass('tideline.state') IS NULL AND EXISTS (
                SELECT FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace('tideline'))
            """
        )[0].boolean(0) ?? false
    }

    private static func requireRight(_ connection: PostgresConnection) throws {
        let row = try connection.query(
            "SELECT has_database_privilege(current_database(), 'CREATE'), current_user, current_database()"
        )[0]
        guard row.boolean(0) != true else { return }
        let (role, database) = (row.string(1) ?? "", row.string(2) ?? "")
        throw StorageError(
            .unsupported,
            message: "The role \(role) may not create a schema, which change capture needs. Let an administrator run: "
                + "GRANT CREATE ON DATABASE \(SQLToken.name(database)) TO \(SQLToken.name(role))"
        )
    }

    private static var notOurs: StorageError {
        StorageError(
            .unsupported,
            message: "The database has a schema named tideline that is not of Tideline's making; rename it."
        )
    }

    /// What to capture of each table of a model.
    private static func tables(
        of model: EntityModel,
        schema: String,
        scopes: [String: [String]]
    ) -> [CapturedTable] {
        model.sets.filter { !$0.isReadOnly }.map { set in
            CapturedTable(
                schema: schema,
                name: set.names.database,
                key: set.type.keyColumns,
                columns: set.type.capturedColumns,
                scopes: scopes[set.names.database] ?? [],
                items: set.type.capturedItems
            )
        }
    }
}

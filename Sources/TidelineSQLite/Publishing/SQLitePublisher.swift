// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
public import TidelineModel
public import TidelineStorage

/// Publishes a database in place, and takes that back without a trace.
public enum SQLitePublisher {
    /// Scans a database and adds change capture to it, all in one transaction.
    ///
    /// Tables and views that cannot be published are left out; `problems` of the result names each and says what to do.
    ///
    /// - Parameters:
    ///   - path: the database file.
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
    /// - Throws: ``StorageError``: `unsupported` when the database is published already, when it is the store of a
    ///   device, or when all of its tables are refused; what `beforeCommit` throws.
    @discardableResult
    public static func publish(
        path: String,
        namespace: String,
        viewKeys: [String: [String]] = [:],
        skipping: Set<String> = [],
        guesses: Set<Guess> = [],
        scopes: (EntityModel) -> [String: [String]] = { _ in [:] },
        isLeftover: () -> Bool = { false },
        beforeCommit: (Introspection) throws -> Void
    ) throws -> Introspection {
        let queue = try SQLiteConnections.queue(path: path)
        return try SQLiteStore.mapped {
            try queue.writeWithoutTransaction { connection in
                // Its tables have names of ours, and mean something else.
                guard try text(connection, "PRAGMA application_id") != "\(DeviceFile.applicationID)" else {
                    throw StorageError.deviceStore
                }
                let journalMode = try text(connection, "PRAGMA journal_mode")
                return try SQLiteConnections.transaction(connection) {
                    let capture = Capture(connection: connection)
                    let isInstalled = try capture.isInstalled()
                    guard !isInstalled || isLeftover() else { throw StorageError.publishedAlready }
                    var introspector = Introspector(
                        connection: connection,
                        namespace: namespace,
                        viewKeys: viewKeys,
                        skipping: skipping,
                        guesses: guesses
                    )
                    let found = try introspector.run()
                    try found.requireSomething()
                    let columns = try Introspection.scopeColumns(scopes(found.model), model: found.model)
                    let tables = tables(of: found.model, scopes: columns)
                    if isInstalled {
                        try capture.follow(tables)
                        try capture.noteReuse()
                        try capture.setScopes(columns)
                        try capture.setItems(of: found.model)
                    } else {
                        try capture.install(tables, journalMode: journalMode)
                    }
                    try beforeCommit(found)
                    return found
                }
            }
        }
    }

    /// Removes all that publishing added; the schema is then what it was.
    ///
    /// `beforeCommit`: what must succeed together with it, run inside the transaction.
    /// - Throws: ``StorageError/Code/unsupported`` when the database is not published; what `beforeCommit` throws.
    public static func unpublish(path: String, beforeCommit: () throws -> Void = {}) throws {
        let queue = try SQLiteConnections.queue(path: path)
        try SQLiteStore.mapped {
            try queue.writeWithoutTransaction { connection in
                let journalMode: String? = try SQLiteConnections.transaction(connection) {
                    let capture = Capture(connection: connection)
                    guard try capture.isInstalled() else { throw StorageError.notPublished }
                    let mode = try capture.state("journal")
                    try capture.remove()
                    try beforeCommit()
                    return mode
                }
                // The mode is written in the file. Where another program has the file open it stays WAL, which harms none.
                let modes = ["delete", "truncate", "persist"]
                if let journalMode, modes.contains(journalMode.lowercased()) {
                    _ = try? text(connection, "PRAGMA journal_mode = \(journalMode)")
                }
            }
        }
    }

    /// Whether a database carries change capture of ours.
    public static func isPublished(path: String) throws -> Bool {
        let queue = try SQLiteConnections.queue(path: path, isReadOnly: true)
        return try SQLiteStore.mapped { try queue.read { try Capture(connection: $0).isInstalled() } }
    }

    private static func text(_ connection: Database, _ sql: String) throws -> String {
        let statement = try PreparedStatement(connection, sql)
        defer { statement.reset() }
        return try statement.step() ? statement.string(0) ?? "" : ""
    }

    /// What to capture of each table of a model.
    private static func tables(of model: EntityModel, scopes: [String: [String]]) -> [CapturedTable] {
        model.sets.filter { !$0.isReadOnly }.map { set in
            CapturedTable(
                name: set.names.database,
                key: set.type.keyColumns,
                columns: set.type.capturedColumns,
                scopes: scopes[set.names.database] ?? [],
                items: set.type.capturedItems
            )
        }
    }
}

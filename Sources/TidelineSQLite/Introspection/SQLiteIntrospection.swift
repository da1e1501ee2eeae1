// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
public import TidelineModel

/// What a scan of a database found: a model of what can be published, and what cannot.
public struct SQLiteIntrospection: Sendable {
    /// Something that keeps a table, a view or a column from being published as it is.
    public struct Problem: Hashable, Sendable {
        /// The table or view, by its name in the database.
        public var table: String
        /// What is wrong and what to do, as plain sentences.
        public var message: String
        /// Whether the table is left out; otherwise the message only tells what was decided.
        public var isRefusal: Bool
        /// Whether nothing should be published before this is repaired: not so for what can well be left out.
        public var stopsPublishing: Bool

        public init(table: String, message: String, isRefusal: Bool, stopsPublishing: Bool = false) {
            self.table = table
            self.message = message
            self.isRefusal = isRefusal
            self.stopsPublishing = stopsPublishing
        }
    }

    /// The model of every table and view that can be published.
    public var model: EntityModel
    public var problems: [Problem]

    /// The problems that leave a table or view out.
    public var refusals: [Problem] { problems.filter(\.isRefusal) }

    /// Looks at a database and at the values in it; changes nothing.
    ///
    /// - Parameters:
    ///   - path: the database file.
    ///   - namespace: the namespace of the model, a dotted name.
    ///   - viewKeys: the columns that are the key of a view, by the view's name in the database.
    ///   - skipping: tables that are left out on purpose, by their names in the database.
    /// - Returns: the model and the problems.
    /// - Throws: ``StorageError`` when the file cannot be read.
    public static func scan(
        path: String,
        namespace: String,
        viewKeys: [String: [String]] = [:],
        skipping: Set<String> = []
    ) throws -> SQLiteIntrospection {
        let queue = try SQLiteConnections.queue(path: path, isReadOnly: true)
        return try SQLiteStore.mapped {
            try queue.read { connection in
                var introspector = Introspector(
                    connection: connection,
                    namespace: namespace,
                    viewKeys: viewKeys,
                    skipping: skipping
                )
                return try introspector.run()
            }
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Which entries of a store's conflict log are asked for; the newest come first.
public struct ConflictQuery: Hashable, Sendable {
    /// The number of the one entry, or `nil` for any.
    public var id: Int64?
    /// The device whose open entries are asked for, or `nil` for the entries of all, open or not.
    public var openOf: String?
    /// The rows whose entries are asked for, or `nil` for the entries of any.
    public var rows: Rows?
    /// The most entries.
    public var limit: Int

    /// Rows of one entity set.
    public struct Rows: Hashable, Sendable {
        /// The wire name of the entity set.
        public var set: String
        /// Their keys, as ``LoggedConflict/key`` has them.
        public var keys: Set<String>

        public init(set: String, keys: Set<String>) {
            self.set = set
            self.keys = keys
        }
    }

    public init(id: Int64? = nil, openOf: String? = nil, rows: Rows? = nil, limit: Int = 100) {
        self.id = id
        self.openOf = openOf
        self.rows = rows
        self.limit = limit
    }
}

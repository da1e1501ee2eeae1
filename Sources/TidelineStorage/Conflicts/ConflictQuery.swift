// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Which entries of a store's conflict log are asked for; the newest come first.
public struct ConflictQuery: Hashable, Sendable {
    /// The number of the one entry, or `nil` for any.
    public var id: Int64?
    /// The device whose open entries are asked for, or `nil` for the entries of all, open or not.
    public var openOf: String?
    /// The most entries.
    public var limit: Int

    public init(id: Int64? = nil, openOf: String? = nil, limit: Int = 100) {
        self.id = id
        self.openOf = openOf
        self.limit = limit
    }
}

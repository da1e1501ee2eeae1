// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The rows that a navigation property leads to: at most one where it is not a collection.
public struct RelatedRows: Hashable, Sendable {
    /// The rows, in the order of the expansion's plan.
    public var rows: [ExpandedRow]
    /// The number of all related rows that match, where the plan asks for it.
    public var count: Int?

    public init(rows: [ExpandedRow], count: Int? = nil) {
        self.rows = rows
        self.count = count
    }
}

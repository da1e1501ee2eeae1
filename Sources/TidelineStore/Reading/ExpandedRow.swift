// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A row of a result with the rows that belong to it.
public struct ExpandedRow: Hashable, Sendable {
    /// The values, by the wire names of the properties that the plan reads.
    public var values: [String: Value]
    /// What the plan expands, by the wire names of the navigation properties.
    public var related: [String: RelatedRows]

    public init(values: [String: Value], related: [String: RelatedRows] = [:]) {
        self.values = values
        self.related = related
    }
}

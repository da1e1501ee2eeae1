// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One element of the first parameter of `groupby`.
///
/// Source: OData Extension for Data Aggregation 4.0, section 3.2.3.
public enum GroupingElement: Hashable, Sendable {
    /// The path of a grouping property.
    case property([String])
    /// `rollup($all,Country,City)`: subtotals along the paths; `startsWithAll` when the total of everything is one.
    case rollup(startsWithAll: Bool, [[String]])
    /// `rolluprecursive(…)` with its arguments as they are written.
    case rollupRecursive(String)
}

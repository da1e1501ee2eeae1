// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// How one row of a live result changed.
///
/// Rows are the same row when their key is.
public enum RowDifference: Hashable, Sendable {
    /// A new row stands at `index` of the new result.
    case insert(key: Key, index: Int)
    /// The row of the old result's `index` is gone.
    case delete(key: Key, index: Int)
    /// The row stands at `index` of the new result with other values.
    case update(key: Key, index: Int)
    /// The row went from `from` in the old result to `to` in the new one; its values may have changed too.
    case move(key: Key, from: Int, to: Int)
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// One change of a list; ``ListBatch`` says in which order they stand and what their places count.
///
/// Rows are the same row when their key is.
public enum ListChange: Hashable, Sendable {
    /// The row of this place of the old list is gone.
    case delete(Key, from: ListPlace)
    /// The section of this place of the old list is gone.
    case deleteSection(Value, from: Int)
    /// A section stands at this place of the new list.
    case insertSection(Value, to: Int)
    /// A row stands at this place of the new list.
    case insert(Key, to: ListPlace)
    /// A row went to another place among the rows that stayed, or to another section; its values may have changed too.
    case move(Key, from: ListPlace, to: ListPlace)
    /// A row has other values, where it was among the rows that stayed.
    case update(Key, from: ListPlace, to: ListPlace)
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One state of a live query: all rows, and how they differ from the state delivered before.
public struct LiveResult<Row: Sendable>: Sendable {
    /// The rows, in the plan's order.
    public var rows: [Row]
    /// The differences to the result delivered before; the whole of the first.
    public var batch: ListBatch
}

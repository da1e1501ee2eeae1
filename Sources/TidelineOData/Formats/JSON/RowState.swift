// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where a ``JSONEntityWriter`` stands: what it looks at with each value and each row.
///
/// It lies in memory of its own: each use of an object's variable is checked against overlapping ones, and what the
/// variable refers to is counted; both took half of the time of a row.
@unsafe
struct RowState {
    /// Where the writer stands in the rows of one level.
    @unsafe
    struct Level {
        /// The column whose value comes next.
        var column = 0
        /// Where the hole of the ETag begins, or -1.
        var hole = -1
        /// How many rows stand in the array or place of this level.
        var rows = 0
        /// The most rows that are written.
        var limit = Int.max
        /// Kept by the shape of the level's frame.
        var leads: LeadTable.View

        init(_ shape: CompiledShape) { unsafe leads = shape.leads.view }
    }

    var mode: JSONEntityWriter.Mode
    var level: Level
    /// Whether the rows are those of the answer itself.
    var isOutermost = true
    /// Whether the one row is the whole answer, whose braces are those of the answer.
    var isEntity = false
    /// Whether each of the outermost rows begins with bytes of the caller.
    var hasRowLead = false
    /// The outermost rows and removed entities that were written.
    var items = 0
    /// The outermost rows.
    var rows = 0

    init(_ shape: CompiledShape) {
        unsafe mode = shape.isCaptured ? .captured : .direct
        unsafe level = Level(shape)
    }
}

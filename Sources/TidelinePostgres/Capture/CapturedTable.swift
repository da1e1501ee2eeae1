// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// What is captured of one table, as `tideline.capture` remembers it.
struct CapturedTable: Equatable {
    /// What entries of the log name the table by, or 0 before it is known.
    var identifier: Int64 = 0
    var schema: String
    var name: String
    var key: [String]
    /// The columns of before-images, in order; an empty name holds the place of one that is captured no more.
    var columns: [String]
    var scopes: [String]
    /// The tables whose rows are parts of its rows: their changes are changes of these.
    var items: [CapturedItems] = []
}

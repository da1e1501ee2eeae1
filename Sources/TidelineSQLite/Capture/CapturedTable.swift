// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// What is captured of one table, as `tideline_capture` remembers it.
struct CapturedTable: Equatable {
    var name: String
    var key: [String]
    /// The columns of before-images, in order; an empty name holds the place of one that is captured no more.
    var columns: [String]
    var scopes: [String]
    /// The tables whose rows are parts of its rows: their changes are changes of these.
    var items: [CapturedItems] = []
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What is staged of a set since its staging began.
struct Staging {
    /// The places of the properties that the rows have.
    var columns: [Int]
    /// Whether a row or a removal came; what else is in the table was staged before.
    var holdsRows = false
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What a delta link of the past leads to now.
struct LinkReplay: Sendable {
    /// The wire name of the set.
    var set: String
    /// When it was given.
    var time: SimulatedTime
    /// The status of the answer, or of the first page that is none.
    var status: Int
    /// The rows of then with the changes since, or `nil` where no changes are served.
    var folded: [Key: [Value]]?
    /// The rows of now.
    var expected: [Key: [Value]]
}

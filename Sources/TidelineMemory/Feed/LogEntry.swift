// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// One entry of the change log.
struct LogEntry: Sendable {
    /// The place of the set in the model.
    var set: Int
    var key: Key
    /// The values before, `nil` for an insert.
    var before: [Value]?
    /// The values after, `nil` for a deletion.
    var after: [Value]?
    /// A random number of the transaction.
    var nonce: UInt64
    /// The client whose doing it is.
    var author: String?
}

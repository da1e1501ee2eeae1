// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The changes of a row that wait here, when a state of the server comes to the row.
struct Meeting {
    let identity: RowIdentity
    let set: SetLayout
    /// Where each change stands in the log, oldest first, at least one.
    let places: [(entry: Int, change: Int)]
    /// What stands there.
    let changes: [OutboxChange]
    /// The number of the first change's transaction.
    let number: Int64
    /// Whether the state is the answer to this device's own change.
    let isOwn: Bool

    var first: (entry: Int, change: Int) { places[0] }
    var isInsert: Bool { changes[0].operation == .insert }
    var hasDeletion: Bool { changes.contains { $0.operation == .delete } }
    var endsWithDeletion: Bool { changes.last?.operation == .delete }
}

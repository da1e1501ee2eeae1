// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

extension PendingTransaction {
    /// Whether a later change is of a row that only this device has: one that the transaction itself inserts, that
    /// nothing inserts any more, or that the transaction has deleted.
    ///
    /// Of the last kind are changes of two rows, of which one was lost when the service went back, and the other one got
    /// its key.
    func isOwn(at place: Int) -> Bool {
        let pending = changes[place]
        let change = pending.change
        guard change.operation != .insert else { return false }
        if pending.hasTemporaryKey, pending.previous == nil { return true }
        return changes.prefix(place).contains { other in
            other.change.operation != .update && other.change.set == change.set && other.change.key == change.key
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore

/// What one sync did.
public struct SyncReport: Hashable, Sendable {
    /// Local transactions that the service accepted.
    public var sent = 0
    /// Rows stored from the service.
    public var received = 0
    /// Rows in which changes of both sides were joined.
    public var merged = 0
    /// New entries of the conflict log.
    public var conflicts = 0
    /// New entries of the quarantine.
    public var quarantined = 0
    /// Rows removed because the service does not have or show them any more.
    public var removed = 0
    /// What the service has and the device does not hold, without an end mark.
    ///
    ///     Docs.Photo: a stream                                                  of the model, told by a clone
    ///     Orders.Quantity: 2 values that are NaN or none of its type, so null   of the rows received
    public var leftOut: [String] = []

    public init(
        sent: Int = 0,
        received: Int = 0,
        merged: Int = 0,
        conflicts: Int = 0,
        quarantined: Int = 0,
        removed: Int = 0
    ) {
        self.sent = sent
        self.received = received
        self.merged = merged
        self.conflicts = conflicts
        self.quarantined = quarantined
        self.removed = removed
    }

    /// Adds what was applied of a pull.
    mutating func count(_ applied: ApplyReport) {
        received += applied.stored
        leftOut += applied.leftOut
        removed += applied.removed
        merged += applied.merged
        conflicts += applied.conflicts.count
        quarantined += applied.quarantined.count
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What a sync did, as the store keeps it; syncs in a row that did nothing, or failed for the same reason, are one
/// entry.
public struct SyncLogEntry: Hashable, Sendable, Identifiable {
    /// Grows from entry to entry; 0 before it is stored.
    public var id: Int64
    /// When the sync, or the first of several, began, by this device's clock.
    public var startedAt: DateTimeOffset
    /// When the sync, or the last of several, ended, by this device's clock.
    public var endedAt: DateTimeOffset
    /// How many syncs the entry tells of, 1 or more.
    public var times: Int
    /// Local transactions that the service accepted.
    public var sent: Int
    /// Rows stored from the service.
    public var received: Int
    /// Rows in which changes of both sides were joined.
    public var merged: Int
    /// New entries of the conflict log.
    public var conflicts: Int
    /// New entries of the quarantine.
    public var quarantined: Int
    /// Rows removed because the service does not have or show them any more.
    public var removed: Int
    /// The bytes of requests and of answers, without their headers.
    public var bytesSent: Int
    public var bytesReceived: Int
    /// Why it did not come to its end, or `nil`.
    public var failure: SyncFailure?

    public init(
        id: Int64 = 0,
        startedAt: DateTimeOffset,
        endedAt: DateTimeOffset,
        times: Int = 1,
        sent: Int = 0,
        received: Int = 0,
        merged: Int = 0,
        conflicts: Int = 0,
        quarantined: Int = 0,
        removed: Int = 0,
        bytesSent: Int = 0,
        bytesReceived: Int = 0,
        failure: SyncFailure? = nil
    ) {
        self.id = id
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.times = times
        self.sent = sent
        self.received = received
        self.merged = merged
        self.conflicts = conflicts
        self.quarantined = quarantined
        self.removed = removed
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
        self.failure = failure
    }

    /// Whether the store and what waits are as they were before.
    public var changedNothing: Bool {
        sent == 0 && received == 0 && merged == 0 && conflicts == 0 && quarantined == 0 && removed == 0
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What waits in a store, and how its last sync ended.
public struct StoreStatus: Hashable, Sendable {
    /// Transactions that are not settled.
    public var pendingTransactions: Int
    /// Of these, transactions that were sent and not answered.
    public var sentTransactions: Int
    public var quarantined: Int
    public var conflicts: Int
    /// Of these, conflicts that nobody has looked at; see ``LocalStore/markConflictsSeen(through:)``.
    public var unseenConflicts = 0
    /// When a sync succeeded last, by this device's clock, or `nil`.
    public var lastSuccess: DateTimeOffset?
    /// Why the last sync failed; `nil` when it succeeded, and before the first.
    public var lastFailure: SyncFailure?

    /// That of a store which cannot be read.
    package static let unknown = StoreStatus(pendingTransactions: 0, sentTransactions: 0, quarantined: 0, conflicts: 0)
}

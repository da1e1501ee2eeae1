// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What waits in a store.
public struct StoreStatus: Hashable, Sendable {
    /// Transactions that are not settled.
    public var pendingTransactions: Int
    /// Of these, transactions that were sent and not answered.
    public var sentTransactions: Int
    public var quarantined: Int
    public var conflicts: Int
}

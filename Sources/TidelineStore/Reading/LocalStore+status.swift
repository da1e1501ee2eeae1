// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension LocalStore {
    /// What waits, and how the last sync ended.
    public func status() throws -> StoreStatus {
        try reading { connection in
            let seen = try connection.number(LocalStore.conflictsSeen)
            let success = try connection.number(SyncLog.lastSuccess)
            func count(_ sql: String) throws -> Int { Int(clamping: try connection.integer(sql)) }
            return StoreStatus(
                pendingTransactions: try count("SELECT COUNT(DISTINCT number) FROM main.tideline_outbox"),
                sentTransactions: try count("SELECT COUNT(*) FROM main.tideline_sent"),
                quarantined: try count("SELECT COUNT(*) FROM main.tideline_quarantine"),
                conflicts: try count("SELECT COUNT(*) FROM main.tideline_conflicts"),
                unseenConflicts: try count("SELECT COUNT(*) FROM main.tideline_conflicts WHERE id > \(seen)"),
                lastSuccess: success > 0 ? DateTimeOffset(milliseconds: success) : nil,
                lastFailure: try SyncLog.newest(1, connection).first?.failure
            )
        }
    }

    /// The number of the newest transaction that waits and that no sync has taken up yet, or `nil`.
    package func newestFreshNumber() throws -> Int64? {
        try reading { connection in
            let newest = try PendingLog.lastNumber(connection)
            return try newest > PendingLog.handedOut(connection) ? newest : nil
        }
    }
}

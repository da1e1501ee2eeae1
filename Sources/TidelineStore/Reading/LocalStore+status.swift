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
    package func newestFreshNumber() throws -> Int64? { try reading { try Self.newestFreshNumber($0) } }

    private static func newestFreshNumber(_ connection: Connection) throws -> Int64? {
        let newest = try PendingLog.lastNumber(connection)
        return try newest > PendingLog.handedOut(connection) ? newest : nil
    }

    /// What a schedule looks at after each commit: ``newestFreshNumber()``, and how the last sync of the file ended.
    package func news() throws -> (newestFresh: Int64?, lastSync: [SyncLogEntry]) {
        try reading { (try Self.newestFreshNumber($0), try SyncLog.newest(1, $0)) }
    }
}

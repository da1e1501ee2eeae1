// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The bounds of what waits.
extension PendingLog {
    /// Refuses a write after which more waits than the settings allow.
    ///
    /// What is in quarantine counts: it waits too, for a person.
    /// - Throws: ``LocalStoreError/Code/outboxFull``.
    static func checkBounds(_ settings: StoreSettings, _ connection: Connection) throws {
        if let limit = settings.maximumPendingTransactions {
            let count = try connection.integer(
                """
                SELECT (SELECT COUNT(DISTINCT number) FROM main.tideline_outbox)
                  + (SELECT COUNT(*) FROM main.tideline_quarantine)
                """
            )
            guard count <= limit else { throw full("\(limit) transactions wait to be sent, and no more may.") }
        }
        if let limit = settings.maximumPendingBytes {
            let bytes = try connection.integer(
                """
                SELECT (SELECT IFNULL(SUM(LENGTH(record)), 0) FROM main.tideline_outbox)
                  + (SELECT IFNULL(SUM(LENGTH(record)), 0) FROM main.tideline_quarantine_records)
                """
            )
            guard bytes <= limit else { throw full("More than \(limit) bytes of changes would wait to be sent.") }
        }
    }

    private static func full(_ what: String) -> LocalStoreError {
        LocalStoreError(
            .outboxFull,
            message: "\(what) Sync, and end what is in quarantine; then write again. Nothing was written."
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

extension ChangeLog {
    /// Removes the oldest entries that need not be kept, never the newest of all, nor of the old ones the newest, and
    /// none of a transaction that a snapshot of now does not see to its end.
    ///
    /// In a write transaction. Positions that have not seen all that is removed are gone.
    func compact(_ retention: LogRetention, now: Int64, limit: Int) throws -> LogCompaction {
        let row = try connection.query(
            """
            SELECT (SELECT min(seq) FROM tideline.log), (SELECT max(seq) FROM tideline.log),
                pg_snapshot_xmin(pg_current_snapshot())::text
            """
        )[0]
        guard let first = row.integer(0), let newest = row.integer(1), let open = row.string(2).flatMap({ UInt64($0) })
        else { return LogCompaction(removed: 0, isFinished: true) }
        let limit = max(limit, 1)
        var removed = 0
        if let seconds = retention.seconds {
            let capture = Capture(connection: connection)
            let text = try capture.state("ages") ?? ""
            var ages = LogAges(text: text)
            let old = ages.note(.init(seconds: now, entry: newest, transaction: open), keeping: seconds)
            if ages.text != text { try capture.setState("ages", ages.text) }
            if let old {
                removed = try remove(before: old.entry, transaction: min(old.transaction, open), limit: limit)
            }
        }
        // Numbers have gaps, so a difference is only the most that there can be.
        if removed < limit, let entries = retention.entries.map({ max($0, 1) }), newest - first >= entries {
            let oldest = try connection.query(
                "SELECT seq FROM tideline.log ORDER BY seq DESC OFFSET $1 LIMIT 1",
                [.integer(entries - 1)]
            )
            if oldest.rowCount > 0, let seq = oldest[0].integer(0) {
                removed += try remove(before: seq, transaction: open, limit: limit - removed)
            }
        }
        let isDone = try removed < limit && removeScopes(limit: limit)
        return LogCompaction(removed: removed, isFinished: isDone)
    }

    /// Removes the scopes of transactions that no position needs any more.
    ///
    /// They are in no order of time, so all are looked at: once after each compaction that removed something.
    ///
    /// - Returns: whether none is left.
    private func removeScopes(limit: Int) throws -> Bool {
        let capture = Capture(connection: connection)
        let compacted = try capture.state("compacted") ?? "0"
        guard try compacted != capture.state("scopes") else { return true }
        let removed = try connection.query(
            """
            DELETE FROM tideline.scope WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM tideline.scope WHERE tx < $1::text::xid8 LIMIT $2))
            """,
            [.text(compacted), .integer(Int64(clamping: limit))]
        ).affectedRows
        guard removed < limit else { return false }
        try capture.setState("scopes", compacted)
        return true
    }

    /// Removes entries with numbers below one, of transactions below another.
    private func remove(before entry: Int64, transaction: UInt64, limit: Int) throws -> Int {
        let result = try connection.query(
            """
            WITH removed AS (
                DELETE FROM tideline.log WHERE seq IN (
                    SELECT seq FROM tideline.log WHERE seq < $1 AND tx < $2::text::xid8 ORDER BY seq LIMIT $3)
                RETURNING tx)
            SELECT count(*), (max(tx::text::numeric) + 1)::text FROM removed
            """,
            [.integer(entry), .text(String(transaction)), .integer(Int64(clamping: limit))]
        )[0]
        guard let removed = result.integer(0), removed > 0, let compacted = result.string(1).flatMap({ UInt64($0) })
        else { return 0 }
        let capture = Capture(connection: connection)
        let before = try capture.state("compacted").flatMap { UInt64($0) } ?? 0
        if compacted > before {
            try capture.setState("compacted", String(compacted))
            _ = try connection.query(
                "DELETE FROM tideline.authors WHERE tx < $1::text::xid8",
                [.text(String(compacted))]
            )
        }
        return Int(removed)
    }
}

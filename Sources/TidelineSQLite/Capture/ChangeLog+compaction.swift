// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineStorage

extension ChangeLog {
    /// Removes the oldest entries that need not be kept, never the newest of all, nor of the old ones the newest.
    ///
    /// In a write transaction. Numbers are given in the order of commits and without gaps.
    func compact(_ retention: LogRetention, now: Int64, limit: Int) throws -> LogCompaction {
        // Both from one reading would be a reading of the whole log.
        let ends = try PreparedStatement(
            connection,
            "SELECT (SELECT min(seq) FROM tideline_log), (SELECT max(seq) FROM tideline_log)"
        )
        guard try ends.step(), ends.storageClass(0) == .integer else {
            return LogCompaction(removed: 0, isFinished: true)
        }
        let (first, newest) = (ends.integer(0), ends.integer(1))
        ends.reset()
        var last = Int64.min
        if let entries = retention.entries { last = newest - max(entries, 1) }
        if let seconds = retention.seconds {
            let capture = Capture(connection: connection)
            let text = try capture.state("ages") ?? ""
            var ages = LogAges(text: text)
            if let old = ages.note(.init(seconds: now, entry: newest), keeping: seconds) {
                last = max(last, old.entry - 1)
            }
            if ages.text != text { try capture.setState("ages", ages.text) }
        }
        last = min(last, newest - 1)
        guard last >= first else { return LogCompaction(removed: 0, isFinished: try removeScopes(limit: limit)) }
        let most = Int64(clamping: max(limit, 1))
        let step = last - first < most ? last : first + most - 1
        let count = try PreparedStatement(connection, "SELECT count(*) FROM tideline_log WHERE seq <= ?")
        count.bind(step, 1)
        let removed = try count.step() ? Int(count.integer(0)) : 0
        count.reset()
        let delete = try PreparedStatement(connection, "DELETE FROM tideline_log WHERE seq <= ?")
        delete.bind(step, 1)
        try delete.run()
        try ChangeAuthors(connection: connection).forget(through: step)
        try Capture(connection: connection).setState("compacted", String(step))
        return LogCompaction(removed: removed, isFinished: try step == last && removeScopes(limit: limit))
    }

    /// Removes the scopes of entries that are gone.
    ///
    /// They are in no order of time, so all are looked at: once after each compaction that removed something.
    ///
    /// - Returns: whether none is left.
    private func removeScopes(limit: Int) throws -> Bool {
        let capture = Capture(connection: connection)
        let compacted = try capture.state("compacted") ?? "0"
        guard try compacted != capture.state("scopes") ?? "0" else { return true }
        let delete = try PreparedStatement(
            connection,
            """
            DELETE FROM tideline_scope WHERE (set_name, property, value, seq) IN (
                SELECT set_name, property, value, seq FROM tideline_scope WHERE seq <= ?1 LIMIT ?2)
            """
        )
        delete.bind(Int64(compacted) ?? 0, 1)
        delete.bind(Int64(clamping: max(limit, 1)), 2)
        try delete.run()
        guard connection.changesCount < max(limit, 1) else { return false }
        try capture.setState("scopes", compacted)
        return true
    }
}

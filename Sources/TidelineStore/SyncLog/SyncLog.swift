// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The table of the sync log: the newest syncs, so many as the settings say.
enum SyncLog {
    static let table = "tideline_syncs"
    /// Files of earlier releases get the table with their first entry.
    static let tableSQL = """
        CREATE TABLE IF NOT EXISTS tideline_syncs (id INTEGER PRIMARY KEY AUTOINCREMENT, started INTEGER NOT NULL,
          ended INTEGER NOT NULL, times INTEGER NOT NULL, sent INTEGER NOT NULL, received INTEGER NOT NULL,
          merged INTEGER NOT NULL, conflicts INTEGER NOT NULL, quarantined INTEGER NOT NULL, removed INTEGER NOT NULL,
          bytes_sent INTEGER NOT NULL, bytes_received INTEGER NOT NULL,
          error_kind TEXT, error_code TEXT, error_message TEXT, error_advice TEXT)
        """

    /// The setting that holds when a sync succeeded last, in milliseconds after 1970.
    static let lastSuccess = "last_success"

    static func exists(_ connection: Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?") { $0.text(table) }
    }

    /// The newest entries, newest first.
    static func newest(_ limit: Int, _ connection: Connection) throws -> [SyncLogEntry] {
        try exists(connection) ? entries(limit, connection) : []
    }

    private static func entries(_ limit: Int, _ connection: Connection) throws -> [SyncLogEntry] {
        try connection.query(
            """
            SELECT id, started, ended, times, sent, received, merged, conflicts, quarantined, removed, bytes_sent,
              bytes_received, error_kind, error_code, error_message, error_advice
            FROM main.tideline_syncs ORDER BY id DESC LIMIT ?
            """,
            { $0.integer(Int64(clamping: limit)) },
            entry
        )
    }

    private static func entry(_ row: Statement) -> SyncLogEntry {
        func count(_ column: Int32) -> Int { Int(clamping: row.integer(column)) }
        let failure = row.string(13).map { code in
            SyncFailure(
                row.string(12).flatMap(SyncFailure.Kind.init(rawValue:)) ?? .passing,
                code: code,
                message: row.string(14) ?? "",
                advice: row.string(15) ?? ""
            )
        }
        return SyncLogEntry(
            id: row.integer(0),
            startedAt: DateTimeOffset(milliseconds: row.integer(1)),
            endedAt: DateTimeOffset(milliseconds: row.integer(2)),
            times: count(3),
            sent: count(4),
            received: count(5),
            merged: count(6),
            conflicts: count(7),
            quarantined: count(8),
            removed: count(9),
            bytesSent: count(10),
            bytesReceived: count(11),
            failure: failure
        )
    }

    /// Stores an entry, or counts it in the one before where that says the same.
    static func append(_ entry: SyncLogEntry, _ connection: Connection) throws {
        if try !exists(connection) { try connection.run(tableSQL) }
        if let last = try entries(1, connection).first, last.changedNothing, entry.changedNothing,
            last.failure == entry.failure
        {
            try connection.run(
                """
                UPDATE main.tideline_syncs SET ended = ?, times = times + 1, bytes_sent = bytes_sent + ?,
                  bytes_received = bytes_received + ? WHERE id = ?
                """
            ) {
                $0.integer(entry.endedAt.milliseconds)
                $0.integer(Int64(entry.bytesSent))
                $0.integer(Int64(entry.bytesReceived))
                $0.integer(last.id)
            }
            return
        }
        try insert(entry, connection)
    }

    private static func insert(_ entry: SyncLogEntry, _ connection: Connection) throws {
        try connection.run(
            """
            INSERT INTO main.tideline_syncs (started, ended, times, sent, received, merged, conflicts, quarantined,
              removed, bytes_sent, bytes_received, error_kind, error_code, error_message, error_advice)
            VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ) {
            $0.integer(entry.startedAt.milliseconds)
            $0.integer(entry.endedAt.milliseconds)
            for count in [
                entry.sent, entry.received, entry.merged, entry.conflicts, entry.quarantined, entry.removed,
                entry.bytesSent, entry.bytesReceived,
            ] { $0.integer(Int64(count)) }
            if let failure = entry.failure {
                for text in [failure.kind.rawValue, failure.code, failure.message, failure.advice] { $0.text(text) }
            } else {
                for _ in 0..<4 { $0.null() }
            }
        }
    }

    /// Drops the oldest entries beyond `length`.
    static func trim(to length: Int, _ connection: Connection) throws {
        try connection.run(
            """
            DELETE FROM main.tideline_syncs WHERE id <=
              (SELECT id FROM main.tideline_syncs ORDER BY id DESC LIMIT 1 OFFSET ?)
            """
        ) { $0.integer(Int64(max(1, length))) }
    }
}

extension DateTimeOffset {
    /// Whole milliseconds after 1970-01-01T00:00:00Z, of a time within 200 million years of it.
    var milliseconds: Int64 { seconds * 1000 + Int64(nanoseconds / 1_000_000) }

    init(milliseconds: Int64) {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let isBefore = rest < 0
        self.init(
            seconds: isBefore ? seconds - 1 : seconds,
            nanoseconds: Int32(isBefore ? rest + 1000 : rest) * 1_000_000
        )
    }
}

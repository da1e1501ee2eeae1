// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What the syncs of this store did, and which conflicts somebody has looked at.
extension LocalStore {
    /// The newest syncs, newest first.
    ///
    /// As many entries are kept as ``StoreSettings/syncLogLength`` says. A sync that was cancelled is not among them.
    public func syncLog(limit: Int = .max) throws -> [SyncLogEntry] {
        try reading { try SyncLog.newest(max(0, limit), $0) }
    }

    /// Keeps what a sync did, and bounds the logs.
    ///
    /// Of the conflict log, entries that somebody looked at make room when it is longer than
    /// ``StoreSettings/conflictLogLength``, the oldest first; the others stay, however many they are.
    package func record(_ sync: SyncLogEntry) throws {
        try writing { connection in
            try SyncLog.append(sync, connection)
            try SyncLog.trim(to: settings.syncLogLength, connection)
            if sync.failure == nil {
                try connection.setNumber(SyncLog.lastSuccess, sync.endedAt.milliseconds)
            }
            try trimConflicts(connection)
            return ((), [])
        }
    }

    /// Says that the entries of the conflict log up to this one were shown to somebody; later ones are new.
    ///
    /// - Parameter id: the newest that was shown; `nil` for all that there are.
    public func markConflictsSeen(through id: Int64? = nil) throws {
        try writing { connection in
            let newest = try connection.integer("SELECT MAX(id) FROM main.tideline_conflicts")
            let seen = min(id ?? newest, newest)
            if try connection.number(LocalStore.conflictsSeen) < seen {
                try connection.setNumber(LocalStore.conflictsSeen, seen)
            }
            return ((), [])
        }
    }

    /// The setting that holds the newest conflict that was shown.
    static let conflictsSeen = "conflicts_seen"

    private func trimConflicts(_ connection: Connection) throws {
        let seen = try connection.number(LocalStore.conflictsSeen)
        guard seen > 0 else { return }
        try connection.run(
            """
            DELETE FROM main.tideline_conflicts WHERE id <= ? AND id <=
              (SELECT id FROM main.tideline_conflicts ORDER BY id DESC LIMIT 1 OFFSET ?)
              AND number NOT IN (SELECT number FROM main.tideline_quarantine WHERE code = ?)
            """
        ) {
            $0.integer(seen)
            $0.integer(Int64(max(0, settings.conflictLogLength)))
            // What waits until a person decides stays, whoever looked at it.
            $0.text(Waiting.code)
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore

/// Reads the log of syncs from where it stopped the last time.
struct SyncLogReader: Sendable {
    private let store: LocalStore
    private var last: SyncLogEntry?

    init(_ store: LocalStore) { self.store = store }

    /// The entries that are new or tell of another sync since the last call, oldest first.
    ///
    /// - Parameter limit: the most entries, of the newest.
    mutating func news(limit: Int) throws -> [SyncLogEntry] {
        let known = last
        let entries = try store.syncLog(limit: limit).prefix { entry in
            guard let known else { return true }
            return entry.id > known.id || entry.id == known.id && entry.times > known.times
        }
        last = entries.first ?? known
        return entries.reversed()
    }
}

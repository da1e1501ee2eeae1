// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// What a transaction has made of its snapshot so far; a copy is a savepoint.
struct WorkingCopy: Sendable {
    /// A row, there or not.
    struct Place: Hashable, Sendable {
        var set: Int
        var key: Key
    }

    var version: MemoryVersion
    /// The changes, for the log.
    var entries: [LogEntry] = []
    /// The rows that were changed, each once, in the order of their first change.
    private(set) var touched: [Place] = []
    private var known: Set<Place> = []
    /// The clients whose marks or answers were changed.
    var clients: Set<String> = []
    /// What was done to the conflict log, to be done again at the commit.
    var conflictChanges: [ConflictChange] = []

    init(_ version: MemoryVersion) { self.version = version }

    var isUnchanged: Bool { touched.isEmpty && clients.isEmpty && conflictChanges.isEmpty }

    /// Changes the conflict log.
    mutating func change(_ change: ConflictChange) {
        change.apply(to: &version.conflicts)
        conflictChanges.append(change)
    }

    /// Puts a row under a key, or takes it away, and logs that.
    mutating func set(_ row: MemoryRow?, at place: Place, nonce: UInt64) {
        let old = version.tables[place.set][place.key]
        version.tables[place.set].set(row, key: place.key)
        if known.insert(place).inserted { touched.append(place) }
        entries.append(
            LogEntry(set: place.set, key: place.key, before: old?.values, after: row?.values, nonce: nonce)
        )
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Lists the changed keys of one set: each once, with its first image, in the order of its last change.
struct ChangeLister {
    /// Longer values than this many bytes are not kept in before-images, as in a database.
    static let longestValue = 256

    let log: MemoryLog
    /// Changes of the transaction that asks, not yet in the log.
    let pending: [LogEntry]

    private struct Found {
        var first: LogEntry
        var last: Int
        var isInScope: Bool
    }

    func changes(
        _ query: ChangeQuery,
        of set: Int,
        _ receive: (ChangedKey) throws -> Void
    ) throws -> FeedPosition? {
        let since = try log.entries(seenBy: query.since)
        let after = try query.after.map { try log.entries(seenBy: $0) } ?? since
        var found: [Key: Found] = [:]
        for place in since..<(log.end + pending.count) {
            let entry = place < log.end ? log[place] : pending[place - log.end]
            guard entry.set == set else { continue }
            let isInScope = query.scope.map { Self.isIn($0, entry) } ?? true
            found[entry.key, default: Found(first: entry, last: place, isInScope: false)].last = place
            if isInScope { found[entry.key]?.isInScope = true }
        }
        let ordered = found.values.filter { $0.isInScope && $0.last >= after }.sorted { $0.last < $1.last }
        for change in ordered.prefix(query.limit ?? .max) {
            try receive(ChangedKey(key: change.first.key, before: change.first.before.map(Self.image)))
        }
        guard let limit = query.limit, ordered.count > limit else { return nil }
        return log.position(at: limit > 0 ? min(ordered[limit - 1].last + 1, log.end) : after)
    }

    /// The places of the sets with changes after a position.
    func sets(since position: FeedPosition) throws -> Set<Int> {
        var sets = Set(pending.map(\.set))
        for place in try log.entries(seenBy: position)..<log.end { sets.insert(log[place].set) }
        return sets
    }

    private static func isIn(_ scope: ChangeQuery.Scope, _ entry: LogEntry) -> Bool {
        entry.before?[scope.property] == scope.value || entry.after?[scope.property] == scope.value
    }

    private static func image(_ values: [Value]) -> [Value?] {
        values.map { value in
            switch value {
            case .string(let text) where text.utf8.count > longestValue: nil
            case .binary(let bytes) where bytes.count > longestValue: nil
            default: value
            }
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The first rows after a key, of many that come in any order and more than once: memory holds these alone.
struct FirstKeys {
    private let after: [UInt8]
    private let limit: Int
    private var found: [[UInt8]: ChangeTracker.Candidate] = [:]
    /// Those after it are not wanted any more.
    private var bound: [UInt8]?
    private var hasMore = false

    /// - Parameters:
    ///   - after: a packed key; empty for none.
    ///   - limit: how many rows are wanted, at least 1.
    init(after: [UInt8], limit: Int) {
        self.after = after
        self.limit = limit
    }

    mutating func add(_ candidate: ChangeTracker.Candidate) {
        let place = RelatedChanges.packed(candidate.key)
        guard after.lexicographicallyPrecedes(place) else { return }
        if let bound, bound.lexicographicallyPrecedes(place) {
            hasMore = true
            return
        }
        if found[place] == nil { found[place] = candidate }
        if found.count > 2 * limit + 64 { cut() }
    }

    /// The rows in the order of their packed keys, and whether there are others after them.
    mutating func finish() -> ([ChangeTracker.Candidate], hasMore: Bool) {
        cut()
        return (found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value), hasMore)
    }

    private mutating func cut() {
        guard found.count > limit else { return }
        let places = found.keys.sorted { $0.lexicographicallyPrecedes($1) }
        bound = places[limit - 1]
        hasMore = true
        for place in places[limit...] { found[place] = nil }
    }
}

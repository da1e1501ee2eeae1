// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What one commit, or several together, did to a list.
///
/// The changes stand in the order in which they can be replayed:
///
///     delete         from the end, places of the old list
///     deleteSection  from the end, places of the old list
///     insertSection  from the beginning, places of the new list
///     insert         from the beginning, places of the new list
///     move           from the beginning by the new place: out of the old list, into the new one
///     update         from the beginning by the new place
///
/// So whoever replays them takes out the deleted rows *and those that move*, by their places in the old list, then
/// changes the sections, and then puts in the inserted rows and those that moved, in the order of their places in the new
/// list: ``ListMirror/apply(_:)`` does it. The first row of a section comes with the section, the last one goes with it.
public struct ListBatch: Hashable, Sendable {
    /// Whether this is the whole list and not a change of what was told before.
    public var isFirst: Bool
    public var changes: [ListChange]

    public init(isFirst: Bool = false, changes: [ListChange]) {
        self.isFirst = isFirst
        self.changes = changes
    }

    /// Whether nothing changed.
    public var isEmpty: Bool { changes.isEmpty }
}

extension ListBatch {
    /// The whole of a list.
    init(whole sections: [ListSection]) {
        isFirst = true
        changes = sections.enumerated().map { .insertSection($1.value, to: $0) }
        changes.reserveCapacity(sections.reduce(changes.count) { $0 + $1.count })
        for (place, section) in sections.enumerated() {
            for (row, key) in section.keys.enumerated() {
                changes.append(.insert(key, to: ListPlace(section: place, row: row)))
            }
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

/// Places that another device took meanwhile.
extension BookmarkBook {
    /// The code with which the service refuses a place that is taken.
    private static let takenCode = "DuplicateValue"

    /// The changes of bookmarks that the service refused because their place is taken.
    private func refusedPlaces() throws -> [QuarantinedTransaction] {
        try store.quarantined().filter { entry in
            entry.code == Self.takenCode && entry.changes.contains { $0.set == Bookmark.entityDescription.set }
        }
    }

    /// Brings bookmarks that share a place to places of their own, and lets what was refused for that be sent again.
    ///
    /// - Returns: what was moved, and what there is no place for; with nothing to send again where both are empty.
    public func repairPlaces() throws -> (plan: SlotRepair, isToBeSent: Bool) {
        let entries = try refusedPlaces()
        let refused = Set(entries.flatMap(\.changes).compactMap(Self.key))
        let plan = try store.write { tx in
            let plan = SlotRepair(try tx.fetch(Bookmark.all), refused: refused)
            for move in plan.moves {
                var bookmark = move.bookmark
                bookmark.ordinal = move.ordinal
                try tx.update(bookmark)
            }
            return plan
        }
        let homeless = Set(plan.homeless.map(\.bookmarkId))
        var isToBeSent = !plan.moves.isEmpty
        for entry in entries where homeless.isDisjoint(with: entry.changes.compactMap(Self.key)) {
            // One that went along with another of these is not there any more.
            guard try store.quarantined().contains(where: { $0.id == entry.id }) else { continue }
            try store.retry(quarantined: entry.id)
            isToBeSent = true
        }
        return (plan, isToBeSent)
    }

    private static func key(_ change: Change) -> Int32? {
        guard change.set == Bookmark.entityDescription.set, case .integer(let key) = change.key.values.first else {
            return nil
        }
        return Int32(truncatingIfNeeded: key)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What stays in its order although the changes that tied it are gone.
extension PendingLog {
    /// The places of the transactions that change a row, in their order.
    func holders(of identity: RowIdentity) -> [Int] {
        entries.indices.filter { place in entries[place].changes.contains { $0.identity == identity } }
    }

    /// The places of the transactions that refer to a row that one of them inserts.
    func referring(to identity: RowIdentity, _ layout: StoreLayout) -> [Int] {
        let parent = layout.sets[identity.set]
        let isInserted = entries.contains { entry in
            entry.changes.contains { $0.identity == identity && $0.operation == .insert }
        }
        guard isInserted, !parent.incoming.isEmpty else { return [] }
        return entries.indices.filter { place in
            entries[place].changes.contains { Folding.refers($0, to: identity.key, parent) }
        }
    }

    /// Lets transactions come after each other still, where changes of a row that tied them were taken out.
    ///
    /// - Parameters:
    ///   - holders: those that changed the row before.
    ///   - referring: those that refer to it, where one of them inserted it.
    mutating func keepOrder(of holders: [Int], and referring: [Int] = [], around identity: RowIdentity) {
        guard let first = holders.first else { return }
        let left = Set(self.holders(of: identity))
        for (place, next) in zip(holders, holders.dropFirst()) where !left.contains(place) || !left.contains(next) {
            order.put(entries[next].number, after: entries[place].number)
        }
        guard !left.contains(first) else { return }
        for place in referring where place > first && !holders.contains(place) {
            order.put(entries[place].number, after: entries[first].number)
        }
    }
}

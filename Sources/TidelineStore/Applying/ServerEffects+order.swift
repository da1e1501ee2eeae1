// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Where the waiting changes of a row are, and what stays in its order although the changes that tied it are gone.
extension ServerEffects {
    /// The places of the transactions that change a row, in their order.
    func holders(of identity: RowIdentity) -> [Int] {
        mentions.ofAll(identity).compactMap(log.place).filter { place in
            log.entries[place].changes.contains { $0.identity == identity }
        }
    }

    /// The places of the waiting changes of a row, in their order.
    func places(of identity: RowIdentity) -> [(entry: Int, change: Int)] {
        mentions.ofAll(identity).compactMap(log.place).flatMap { entry in
            log.entries[entry].changes.indices.filter { log.entries[entry].changes[$0].identity == identity }
                .map { (entry, $0) }
        }
    }

    /// The places of the transactions that refer to a row that one of them inserts.
    func referring(to identity: RowIdentity) -> [Int] {
        let parent = layout.sets[identity.set]
        let isInserted = holders(of: identity).contains { place in
            log.entries[place].changes.contains { $0.identity == identity && $0.operation == .insert }
        }
        guard isInserted, !parent.incoming.isEmpty else { return [] }
        return mentions.ofAll(identity).compactMap(log.place).filter { place in
            log.entries[place].changes.contains { $0.principals(layout).contains(identity) }
        }
    }

    /// Notes that a transaction that waits has other changes, or changes with other values.
    func changed(_ place: Int) {
        log.entries[place].isDirty = true
        mentions.add(log.entries[place].changes, of: log.entries[place].number)
    }

    /// Gives a transaction that waits another number, under which it was never sent.
    ///
    /// The transactions are out of order until all that get new numbers have them.
    func renumber(_ place: Int, to number: Int64) throws {
        let old = log.entries[place].number
        try PendingLog.remove(old, connection)
        log.order.renumber(old, to: number)
        log.entries[place].number = number
        changed(place)
    }

    /// Lets transactions come after each other still, where changes of a row that tied them were taken out.
    ///
    /// - Parameters:
    ///   - holders: those that changed the row before.
    ///   - referring: those that refer to it, where one of them inserted it.
    func keepOrder(of holders: [Int], and referring: [Int] = [], around identity: RowIdentity) {
        guard let first = holders.first else { return }
        let left = Set(self.holders(of: identity))
        for (place, next) in zip(holders, holders.dropFirst()) where !left.contains(place) || !left.contains(next) {
            log.order.put(log.entries[next].number, after: log.entries[place].number)
        }
        guard !left.contains(first) else { return }
        for place in referring where place > first && !holders.contains(place) {
            log.order.put(log.entries[place].number, after: log.entries[first].number)
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Where the waiting changes of a row are, and what stays in its order although the changes that tied it are gone.
extension ServerEffects {
    /// The places of the transactions that change a row, in their order.
    func holders(of identity: RowIdentity) -> [Int] {
        mentions.numbers(withAll: identity).compactMap(log.place).filter { place in
            log.entries[place].changes.contains { $0.identity == identity }
        }
    }

    /// The places of the waiting changes of a row, in their order.
    func places(of identity: RowIdentity) -> [(entry: Int, change: Int)] {
        mentions.numbers(withAll: identity).compactMap(log.place).flatMap { entry in
            log.entries[entry].changes.indices.filter { log.entries[entry].changes[$0].identity == identity }
                .map { (entry, $0) }
        }
    }

    /// The places of the transactions that refer to a row that one of them inserts.
    func referring(to identity: RowIdentity) -> [Int] {
        let isInserted = places(of: identity).contains {
            log.entries[$0.entry].changes[$0.change].operation == .insert
        }
        guard isInserted else { return [] }
        return mentions.numbers(withAll: identity).compactMap(log.place).filter { place in
            log.entries[place].changes.contains { $0.principals(layout).contains(identity) }
        }
    }

    /// Notes that changes of a transaction that waits are new, or have other values.
    func changed(_ entry: Int, _ places: some Sequence<Int>) {
        log.entries[entry].isDirty = true
        note(places.map { log.entries[entry].changes[$0] }, of: log.entries[entry].number)
    }

    /// Gives a transaction that waits another number, under which it was never sent.
    ///
    /// The transactions are out of order until all that get new numbers have them.
    func renumber(_ place: Int, to number: Int64) throws {
        let old = log.entries[place].number
        try PendingLog.remove(old, connection)
        log.order.renumber(old, to: number)
        log.entries[place].number = number
        changed(place, log.entries[place].changes.indices)
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

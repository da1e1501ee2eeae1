// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The order of the transactions in the quarantine.
extension ServerEffects {
    /// Puts transactions behind a later one that inserts a row which they refer to, with what builds on them.
    ///
    /// The row was there when they were made, and is inserted again because the server deleted it: they are refused
    /// without it. Where the later one builds on one of them in its turn, all stay where they are.
    ///
    /// - Parameter number: the later transaction; one that is not in the quarantine has nothing put behind it.
    func putBehind(_ number: Int64) throws {
        guard let later = quarantine.first(where: { $0.number == number }) else { return }
        let inserting = Ties(layout, later.changes)
        var moved = Ties(layout)
        var moving: [Int64] = []
        for entry in quarantine.sorted(by: { $0.number < $1.number }) {
            if entry.number == number {
                guard !moving.isEmpty, !moved.isBase(of: entry.changes) else { return }
                continue
            }
            let refers = entry.number < number && inserting.insertsPrincipal(of: entry.changes)
            guard refers || moved.isBase(of: entry.changes) else { continue }
            moved.add(entry.changes)
            moving.append(entry.id)
        }
        for id in moving {
            guard let place = quarantine.firstIndex(where: { $0.id == id }) else { continue }
            try renumberHeld(place, nextNumber())
        }
    }

    /// Puts all transactions behind the later ones that insert rows which they refer to.
    func orderQuarantine() throws {
        var inserting: [RowIdentity: Int64] = [:]
        for entry in quarantine {
            for change in entry.changes where change.operation == .insert {
                inserting[change.identity] = max(inserting[change.identity] ?? entry.number, entry.number)
            }
        }
        guard !inserting.isEmpty else { return }
        var later = Set<Int64>()
        for entry in quarantine {
            for principal in entry.changes.flatMap({ $0.referred(layout) }) {
                if let number = inserting[principal], number > entry.number { later.insert(number) }
            }
        }
        for number in later.sorted() { try putBehind(number) }
    }

    /// A number behind all that waits, also behind what this change of the store has sent again already.
    func nextNumber() throws -> Int64 {
        max(try PendingLog.nextNumber(connection), (log.entries.map(\.number).max() ?? 0) + 1)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The way out of the quarantine to the service.
extension LocalStore {
    /// Sends a quarantined transaction again with the next sync, with those that it builds on and that build on it, and
    /// with what these hang together with in the same way.
    ///
    /// What was put right since by a change of the same row is sent in the place of what was refused: the two
    /// transactions, with those between them, are sent as one, unless they are too large for that or delete rows.
    /// What the server changed since meets it as if it had never been refused: the policies decide, and what loses is in
    /// the conflict log. What waits for a decision is decided for this device. A row that the server deleted and this
    /// device inserts again goes before what refers to it, also before what was made earlier.
    ///
    /// - Returns: the identifiers of all entries that are sent again, oldest first.
    /// - Throws: ``LocalStoreError``: `noSuchEntry`.
    @discardableResult
    public func retry(quarantined id: Int64) throws -> [Int64] {
        try writing { connection in
            let effects = try ServerEffects(connection, functions: settings.conflictFunctions)
            try effects.orderQuarantine()
            let kin = try kin(id, effects.quarantine).map(\.id)
            let numbers = effects.quarantine.filter { kin.contains($0.id) }.map(\.number)
            for conflict in effects.waiting where numbers.contains(conflict.number) {
                try effects.decide(conflict, .keepMine)
            }
            let entries = effects.quarantine.filter { kin.contains($0.id) }.sorted { $0.number < $1.number }
            var rows: [RowIdentity] = []
            for entry in entries {
                try effects.takeOut(entry)
                for change in entry.changes where !rows.contains(change.identity) { rows.append(change.identity) }
            }
            // Also those whose changes undo each other, and are sent no more.
            try effects.sendAgain(joined(entries), meeting: rows)
            try effects.save()
            return (kin, effects.touched)
        }
    }

    /// The entry, what it builds on, what builds on one of these, and so on until nothing is added, oldest first.
    ///
    /// What builds on two transactions cannot be sent while one of them stays, so that one goes along.
    private func kin(_ id: Int64, _ entries: [Quarantine.Entry]) throws -> [Quarantine.Entry] {
        try bound(to: id, entries) { one, other in
            let (earlier, later) = one.number < other.number ? (one, other) : (other, one)
            return Ties(layout, earlier.changes).isBase(of: later.changes)
        }
    }

    /// A change, and the code that its transaction was refused with.
    private typealias Refused = (code: String, change: OutboxChange)

    /// The changes of transactions that are sent again: those of which one puts another right, with all between, as one.
    private func joined(_ entries: [Quarantine.Entry]) -> [[OutboxChange]] {
        var groups: [[Refused]] = []
        for entry in entries {
            let changes: [Refused] = entry.changes.map { (entry.code, $0) }
            let first = changes.compactMap { one in place(of: one.change, in: groups) }.min()
            if let first, let whole = folded(groups[first...].flatMap { $0 } + changes) {
                groups.replaceSubrange(first..., with: [whole])
            } else {
                groups.append(changes)
            }
        }
        return groups.map { group in
            group.enumerated().map { turn, one in
                var change = one.change
                change.turn = turn
                return change
            }
        }
    }

    /// The last transaction that changes the row, where a change may be joined into that.
    private func place(of change: OutboxChange, in groups: [[Refused]]) -> Int? {
        for place in groups.indices.reversed() {
            guard let earlier = groups[place].last(where: { $0.change.identity == change.identity }) else { continue }
            return isJoined(change, into: earlier) ? place : nil
        }
        return nil
    }

    /// Whether an update becomes a part of the earlier change of its row: its turn does not matter.
    ///
    /// Nor does the turn of another unique value where the earlier one was refused for being taken: it would be again.
    private func isJoined(_ change: OutboxChange, into earlier: Refused) -> Bool {
        let set = layout.sets[change.set]
        return earlier.change.operation != .delete
            && (Folding.isFree(change, set) || earlier.code == Self.taken && Folding.isUnbound(change, set))
    }

    /// The changes of one transaction, or `nil` where the service would not take so many, or where rows are deleted
    /// between: what falls with one in an earlier transaction, a later one may name.
    private func folded(_ changes: [Refused]) -> [Refused]? {
        guard !changes.contains(where: { $0.change.operation == .delete }) else { return nil }
        var folded: [Refused] = []
        for one in changes {
            guard let place = folded.lastIndex(where: { $0.change.identity == one.change.identity }),
                isJoined(one.change, into: folded[place])
            else {
                folded.append(one)
                continue
            }
            Folding.join(one.change, into: &folded[place].change)
            if folded[place].change.operation == .update, folded[place].change.assignments.isEmpty {
                folded.remove(at: place)
            }
        }
        if let most = settings.maximumChanges, folded.count > most { return nil }
        if let most = settings.maximumTransactionBytes, bytes(folded.map(\.change)) > most { return nil }
        return folded
    }

    private func bytes(_ changes: [OutboxChange]) -> Int {
        Dictionary(grouping: changes, by: \.set).reduce(0) {
            $0 + OutboxRecord.encode($1.value, layout.sets[$1.key]).count
        }
    }

    /// The service's code for a unique value that another row has.
    private static let taken = "DuplicateValue"
}

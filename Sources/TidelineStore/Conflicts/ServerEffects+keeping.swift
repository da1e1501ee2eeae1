// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Rows that a person keeps as this device has them, though the server deleted them.
extension ServerEffects {
    /// The row is inserted again, whole.
    ///
    /// - Parameters:
    ///   - merged: the values of a merge.
    ///   - other: the row that the server has under its key since, and that keeps it.
    ///   - family: what goes on with the decision, by the identifiers in the quarantine.
    func insert(
        _ conflict: Waiting,
        _ merged: [Int: Value],
        _ set: SetLayout,
        beside other: StoredRow?,
        of family: [Int64]
    ) throws {
        let identity = conflict.identity
        let isMade = try begin(conflict, merged, set, beside: other, of: family) { change, row in
            change.operation = .insert
            change.row = row
        }
        guard isMade else { return }
        if other != nil { try dropBase(identity) }
        let kept = try giveTemporaryKey(identity, set, isReused: other != nil)
        guard let other else { return }
        try show(identity, other)
        // It was shown as the other one, with the changes on it.
        if kept != identity { try show(kept, nil) }
    }

    /// The row that the server has under the key again is changed to be this one.
    func change(
        _ conflict: Waiting,
        _ merged: [Int: Value],
        _ set: SetLayout,
        from base: StoredRow,
        of family: [Int64]
    ) throws {
        try begin(conflict, merged, set, beside: base, of: family) { change, row in
            change.etag = base.etag
            change.assignments = self.travelling(row, of: set).filter { row[$0] != base.values[$0] }.map {
                .init(property: $0, before: base.values[$0], after: row[$0])
            }
        }
    }

    /// Lets the first transaction in the quarantine that changed the row begin with it anew.
    ///
    /// Those that stay in the quarantine keep what they changed, for they may be given up.
    ///
    /// - Parameter describe: makes of an update without assignments the change that leads to the row.
    /// - Returns: whether there is a row to begin with.
    @discardableResult
    private func begin(
        _ conflict: Waiting,
        _ merged: [Int: Value],
        _ set: SetLayout,
        beside other: StoredRow?,
        of family: [Int64],
        _ describe: (inout OutboxChange, [Value]) -> Void
    ) throws -> Bool {
        let identity = conflict.identity
        let all = quarantine.indices.sorted { quarantine[$0].number < quarantine[$1].number }
        let holders = all.filter { place in quarantine[place].changes.contains { $0.identity == identity } }
        guard let first = holders.first else { return false }
        let number = quarantine[first].number
        guard let made = rolledBack(try mine(conflict, set, beside: other), heldChanges(of: identity, after: number))
        else { return false }
        forgetHeldVersions(of: identity)
        let isReleased = family.contains(quarantine[first].id)
        let places = isReleased ? holders.filter { family.contains(quarantine[$0].id) } : holders
        var again = try Reinsertion(
            of: identity,
            made.values,
            in: places.map { quarantine[$0].changes },
            before: all.filter { quarantine[$0].number > number }.map { quarantine[$0].changes },
            layout
        ) { row in
            try isGone(row) && heldChanges(of: row).count == heldChanges(of: row, after: number).count
        }
        again.decide(merged)
        again.begin(describe)
        for (place, changes) in zip(places, again.transactions) {
            quarantine[place].changes = changes.filter {
                $0.identity != identity || $0.operation != .update || !$0.assignments.isEmpty
            }
        }
        return true
    }

    /// The row as this device had it when it met that the server's was gone, with what was changed since.
    ///
    /// - Parameter other: the row that the server has under its key since, which is shown with the changes on it.
    private func mine(_ conflict: Waiting, _ set: SetLayout, beside other: StoredRow?) throws -> StoredRow? {
        guard var row = try connection.row(set, conflict.identity.key) else { return nil }
        if let other {
            for clash in conflict.clashes where row.values[clash.property] == other.values[clash.property] {
                row.values[clash.property] = clash.mine
            }
        }
        return row
    }
}

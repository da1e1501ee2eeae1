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
    func insert(_ conflict: Waiting, _ merged: [Int: Value], _ set: SetLayout, beside other: StoredRow?) throws {
        let identity = conflict.identity
        let isKept = try begin(conflict, merged, set, beside: other) { change, row in
            change.operation = .insert
            change.row = row
        }
        guard isKept else { return }
        if other != nil { try dropBase(identity) }
        try giveTemporaryKey(identity, set, isReused: other != nil)
        if let other { try show(identity, other) }
    }

    /// The row that the server has under the key again is changed to be this one.
    func change(_ conflict: Waiting, _ merged: [Int: Value], _ set: SetLayout, from base: StoredRow) throws {
        try begin(conflict, merged, set, beside: base) { change, row in
            change.etag = base.etag
            change.assignments = self.travelling(row, of: set).filter { row[$0] != base.values[$0] }.map {
                .init(property: $0, before: base.values[$0], after: row[$0])
            }
        }
    }

    /// Lets the first transaction in the quarantine that changed the row begin with it anew.
    ///
    /// - Parameters:
    ///   - other: the row that the server has under its key since.
    ///   - describe: makes of an update without assignments the change that leads to the row.
    /// - Returns: whether this device has the row.
    @discardableResult
    private func begin(
        _ conflict: Waiting,
        _ merged: [Int: Value],
        _ set: SetLayout,
        beside other: StoredRow?,
        _ describe: (inout OutboxChange, [Value]) -> Void
    ) throws -> Bool {
        let identity = conflict.identity
        let places = quarantine.indices.sorted { quarantine[$0].number < quarantine[$1].number }
            .drop { place in !quarantine[place].changes.contains { $0.identity == identity } }
        guard let first = places.first, let mine = try mine(conflict, set, beside: other),
            let made = rolledBack(mine, heldChanges(of: identity, after: quarantine[first].number))
        else { return false }
        var again = Reinsertion(of: identity, made.values, in: places.map { quarantine[$0].changes }, layout)
        again.decide(merged)
        again.begin(describe)
        for (place, changes) in zip(places, again.transactions) {
            guard quarantine[place].changes.contains(where: { $0.identity == identity }) else { continue }
            quarantine[place].changes = changes.filter {
                $0.identity != identity || $0.operation != .update || !$0.assignments.isEmpty
            }
            dirtyQuarantine.insert(quarantine[place].id)
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

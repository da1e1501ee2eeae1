// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Changes of both sides joined into one row.
extension ServerEffects {
    func travelling(_ set: SetLayout) -> [Int] {
        set.columns.filter { !$0.property.isLocalOnly && $0.property.generation == .none }.map(\.place)
    }

    func rolledForward(_ changes: [OutboxChange]) throws -> StoredRow? {
        var row: StoredRow?
        for change in changes {
            switch change.operation {
            case .insert: row = StoredRow(values: change.row, etag: nil)
            case .delete: row = nil
            case .update: for one in change.assignments { row?.values[one.property] = one.after }
            }
        }
        return row
    }

    func merge(
        _ identity: RowIdentity,
        _ all: [OutboxChange],
        _ theirs: StoredRow,
        _ places: [(Int, Int)],
        _ number: Int64,
        _ set: SetLayout
    ) throws {
        var base = theirs.values
        var mine = theirs.values
        var touched = Set<Int>()
        for change in all {
            for assignment in change.assignments {
                if touched.insert(assignment.property).inserted { base[assignment.property] = assignment.before }
                mine[assignment.property] = assignment.after
            }
        }
        // Where only the server changed something, the base of those properties is not recorded: any other value will do.
        let result = ThreeWayMerge(base: base, mine: mine, theirs: theirs.values, touched: touched) {
            policy(set.index, $0)
        }
        if !result.remaining.isEmpty { merged += 1 }
        if !result.clashes.isEmpty {
            try logConflict(
                identity,
                .update,
                number,
                result.clashes
            )
        }
        let remaining = Set(result.remaining)
        var seen = Set<Int>()
        for (entry, change) in places {
            var kept: [Change.Assignment] = []
            for var assignment in log.entries[entry].changes[change].assignments
            where remaining.contains(assignment.property) {
                if seen.insert(assignment.property).inserted { assignment.before = theirs.values[assignment.property] }
                kept.append(assignment)
            }
            log.entries[entry].changes[change].assignments = kept
            log.entries[entry].isDirty = true
        }
        for place in remaining where result.values[place] != mine[place] {
            guard
                let last = places.last(where: { at in
                    log.entries[at.0].changes[at.1].assignments.contains { $0.property == place }
                })
            else { continue }
            for index in log.entries[last.0].changes[last.1].assignments.indices
            where log.entries[last.0].changes[last.1].assignments[index].property == place {
                log.entries[last.0].changes[last.1].assignments[index].after = result.values[place]
            }
        }
        if let first = places.first { log.entries[first.0].changes[first.1].etag = theirs.etag }
        dropEmpty(identity)
    }

    private func dropEmpty(_ identity: RowIdentity) {
        var etag: String?
        for entry in log.entries.indices where !log.entries[entry].isFrozen {
            log.entries[entry].changes.removeAll { change in
                guard change.identity == identity, change.operation == .update, change.assignments.isEmpty else {
                    return false
                }
                etag = change.etag
                return true
            }
            // The version passes on to the first change that is left.
            if let known = etag, let next = log.entries[entry].changes.firstIndex(where: { $0.identity == identity }) {
                log.entries[entry].changes[next].etag = known
                etag = nil
            }
        }
    }

    /// Update beats delete: a row that the server deleted and this device changed is inserted again, whole.
    func insertAgain(
        _ identity: RowIdentity,
        _ all: [OutboxChange],
        _ number: Int64,
        _ first: (entry: Int, change: Int),
        _ set: SetLayout
    ) throws {
        guard var row = try connection.row(set, identity.key) else { return drop(identity) }
        row.etag = nil
        try logConflict(identity, .deletedThere, number, clashes(all[0], all, nil, set, mineWon: true))
        let turn = log.entries[first.entry].changes[first.change].turn
        let old = log.entries[first.entry].number
        drop(identity)
        guard let entry = log.entries.firstIndex(where: { $0.number == old }) else { return }
        try dropBase(identity)
        let insert = OutboxChange(
            set: set.index,
            operation: .insert,
            turn: turn,
            key: identity.key,
            etag: nil,
            row: row.values,
            assignments: []
        )
        log.entries[entry].changes.append(insert)
        log.entries[entry].changes.sort { $0.turn < $1.turn }
        log.entries[entry].isDirty = true
        try show(identity, nil)
        if set.isGenerated {
            let temporary = try connection.number("last_temporary") - 1
            try connection.setNumber("last_temporary", temporary)
            let key = zip(set.key, identity.key).map { place, value in
                set.rules[place].isGeneratedKey ? Value.integer(temporary) : value
            }
            try remap(identity, to: key)
        }
    }
}

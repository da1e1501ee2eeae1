// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Changes of both sides joined into one row.
extension ServerEffects {
    /// What of a row goes to the service: not a value that is missing because the service makes it.
    func travelling(_ row: [Value], of set: SetLayout) -> [Int] {
        set.columns.filter { column in
            let isLeft = column.property.generation == .onInsert && row[column.place].isNull
            return !column.property.isLocalOnly && !column.isMade && !isLeft
        }.map(\.place)
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

    /// Joins the changes of a row with the server's, property by property.
    ///
    /// - Returns: false where a person is to decide: then the changes wait as they are.
    func merge(_ meeting: Meeting, _ theirs: StoredRow) throws -> Bool {
        let (identity, number) = (meeting.identity, meeting.number)
        var base = theirs.values
        var mine = theirs.values
        var touched = Set<Int>()
        for change in meeting.changes {
            for assignment in change.assignments {
                if touched.insert(assignment.property).inserted { base[assignment.property] = assignment.before }
                mine[assignment.property] = assignment.after
            }
        }
        // Where only the server changed something, the base of those properties is not recorded: any other value will do.
        let result = ThreeWayMerge(
            base: base,
            mine: mine,
            theirs: theirs.values,
            touched: touched,
            unread: theirs.unread
        ) {
            decision(identity, $0, $1, $2, $3, isOwn: meeting.isOwn)
        }
        if result.isOpen {
            try ask(identity, .update, number, result.clashes.filter(\.isOpen), theirs)
            return false
        }
        if !result.remaining.isEmpty { merged += 1 }
        if !result.clashes.isEmpty { try logConflict(identity, .update, number, result.clashes) }
        rebase(meeting, result, theirs)
        log.entries[meeting.first.entry].changes[meeting.first.change].etag = theirs.etag
        dropEmpty(identity)
        return true
    }

    private func decision(
        _ identity: RowIdentity,
        _ place: Int,
        _ base: Value,
        _ mine: Value,
        _ theirs: Value,
        isOwn: Bool
    ) -> ConflictDecision {
        let set = layout.sets[identity.set]
        let property = set.columns[place].property
        let change = ConflictingChange(
            set: set.name,
            key: Key(identity.key),
            property: property.names.wire,
            base: base,
            mine: mine,
            theirs: theirs
        )
        let decision = decider.decide(set.set.type.conflictPolicy(of: place), change, property)
        guard isOwn else { return decision }
        // What the server made of this device's own change is no change of another: nobody is asked.
        return switch decision {
        case .joined: decision
        case _ where mine == theirs: .same
        case .open: .mine
        default: decision
        }
    }

    /// Makes the changes of a row such as if they had been made on the server's values.
    ///
    /// Of several values of a property each is merged as if it were the last, so that a counter counts each step.
    private func rebase(_ meeting: Meeting, _ result: ThreeWayMerge, _ theirs: StoredRow) {
        let places = meeting.places
        let remaining = Set(result.remaining)
        var current = theirs.values
        for (turn, (entry, change)) in places.enumerated() {
            var kept: [Change.Assignment] = []
            for var assignment in log.entries[entry].changes[change].assignments
            where remaining.contains(assignment.property) {
                let place = assignment.property
                let isLast = !places[(turn + 1)...].contains { later in
                    log.entries[later.entry].changes[later.change].assignments.contains { $0.property == place }
                }
                if isLast {
                    assignment.after = result.values[place]
                } else if let clash = result.clashes.first(where: { $0.property == place }) {
                    assignment.after = rebased(assignment.after, clash, meeting.identity, isOwn: meeting.isOwn)
                }
                assignment.before = current[place]
                current[place] = assignment.after
                if assignment.before != assignment.after { kept.append(assignment) }
            }
            log.entries[entry].changes[change].assignments = kept
            changed(entry, [change])
        }
    }

    private func rebased(_ value: Value, _ clash: Clash, _ identity: RowIdentity, isOwn: Bool) -> Value {
        if value == clash.base { return clash.theirs }
        switch decision(identity, clash.property, clash.base, value, clash.theirs, isOwn: isOwn) {
        case .theirs, .same: return clash.theirs
        case .mine, .open: return value
        case .joined(let joined): return joined
        }
    }

    /// Takes the updates of a row that change nothing any more out of what waits.
    func dropEmpty(_ identity: RowIdentity) {
        let holders = holders(of: identity)
        var etag: String?
        for entry in holders where !log.entries[entry].isFrozen {
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
        keepOrder(of: holders, around: identity)
    }
}

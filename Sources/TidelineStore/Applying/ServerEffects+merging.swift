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

    private func dropEmpty(_ identity: RowIdentity) {
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

    /// Update beats delete: a row that the server deleted and this device changed is inserted again, whole.
    ///
    /// The first transaction that changed it inserts it. What later ones changed they change in the new row, each in its
    /// turn; but for references and unique values, for the row that was referred to may be gone, and the value taken.
    ///
    /// - Parameter made: the row as the first transaction left it.
    func insertAgain(_ meeting: Meeting, _ made: StoredRow) throws {
        let (identity, set, entry) = (meeting.identity, meeting.set, meeting.first.entry)
        var row = made
        row.etag = nil
        takeTied(meeting, into: &row)
        let isOrphan = try followMoved(&row, of: set)
        for place in places(of: identity) where place.entry != entry { try changeFirst(place) { $0.etag = nil } }
        log.entries[entry].changes.removeAll { $0.identity == identity }
        try dropBase(identity)
        let insert = OutboxChange(
            set: set.index,
            operation: .insert,
            turn: meeting.changes[0].turn,
            key: identity.key,
            etag: nil,
            row: row.values,
            assignments: []
        )
        log.entries[entry].changes.append(insert)
        log.entries[entry].changes.sort { $0.turn < $1.turn }
        log.entries[entry].changes = InsertOrder.sorted(log.entries[entry].changes, layout)
        changed(
            entry,
            log.entries[entry].changes.indices.filter { log.entries[entry].changes[$0].identity == identity }
        )
        try show(identity, nil)
        try giveTemporaryKey(identity, set)
        guard isOrphan else { return }
        try toQuarantine(
            meeting.number,
            code: "MissingReference",
            message: "An entity of '\(set.name)' refers to one that was deleted, and whose key another one has.",
            status: 0
        )
    }

    /// Lets a row that is inserted again begin with the references and the unique values that later transactions gave it,
    /// up to those that only a later one makes: a row that it inserts, a value that it takes from another row.
    private func takeTied(_ meeting: Meeting, into row: inout StoredRow) {
        let first = meeting.first.entry
        for (place, change) in zip(meeting.places, meeting.changes) where place.entry != first {
            let tied = change.assignments.filter { meeting.set.tied.contains($0.property) }
            guard !tied.isEmpty else { continue }
            var next = row.values
            for assignment in tied { next[assignment.property] = assignment.after }
            guard !isMade(next, tied, of: meeting, after: first) else { break }
            row.values = next
            log.entries[place.entry].changes[place.change].assignments.removeAll { tied.contains($0) }
            changed(place.entry, [place.change])
        }
        dropEmpty(meeting.identity)
    }

    /// Whether a row can have values only when transactions after one have happened.
    private func isMade(
        _ values: [Value],
        _ tied: [Change.Assignment],
        of meeting: Meeting,
        after first: Int
    ) -> Bool {
        let set = meeting.set
        let targets = set.outgoing.map { ($0, $0.childPlaces.map { values[$0] }) }.filter { !$1.contains(.null) }
        return log.entries[(first + 1)...].contains { entry in
            entry.changes.contains { change in
                if change.operation == .insert {
                    return targets.contains { reference, wanted in
                        reference.parent == change.set && reference.parentPlaces.map { change.row[$0] } == wanted
                    }
                }
                return change.set == set.index && change.identity != meeting.identity
                    && tied.contains { !set.bound.contains($0.property) && change.before($0.property) == $0.after }
            }
        }
    }

    /// Gives a row that is inserted again a temporary key, where the server makes the keys.
    ///
    /// - Parameter isReused: whether the server has another row of its key.
    /// - Returns: the row under the key that it has now.
    @discardableResult
    func giveTemporaryKey(
        _ identity: RowIdentity,
        _ set: SetLayout,
        isReused: Bool = false
    ) throws -> RowIdentity {
        guard set.isGenerated else { return identity }
        let temporary = try connection.nextTemporaryKey()
        let key = zip(set.key, identity.key).map { place, value in
            set.rules[place].isGeneratedKey ? Value.integer(temporary) : value
        }
        let told = isReused ? try told(below: identity) : [:]
        try meetOrphans(of: identity)
        try remap(identity, to: key, isAgain: true, isReused: isReused)
        // The rows of this device have left these keys, which the server's rows below the other one have.
        for (orphan, row) in told where try connection.row(layout.sets[orphan.set], orphan.key) == nil {
            touch(orphan)
            try connection.put(StoredRow(values: row.values, etag: row.etag), layout.sets[orphan.set])
        }
        return RowIdentity(set: identity.set, key: key)
    }

    /// What pulls told of rows that hold the key of one in theirs, beside changes of this device.
    private func told(below identity: RowIdentity) throws -> [RowIdentity: StoredRow] {
        var told: [RowIdentity: StoredRow] = [:]
        for reference in layout.sets[identity.set].incoming {
            for orphan in orphans(of: identity, by: reference) {
                if let row = try base(orphan)?.row { told[orphan] = row }
                try told.merge(self.told(below: orphan)) { first, _ in first }
            }
        }
        return told
    }

    /// The rows with changes of this device that hold the key of one in theirs.
    private func orphans(of identity: RowIdentity, by reference: SetLayout.Reference) -> [RowIdentity] {
        let child = layout.sets[reference.child]
        let at = reference.childPlaces.compactMap(child.key.firstIndex(of:))
        guard at.count == reference.childPlaces.count, let old = reference.values(of: identity, layout) else {
            return []
        }
        return dirty.filter { row in row.set == child.index && at.map { row.key[$0] } == old }
            .sorted { "\($0.key)" < "\($1.key)" }
    }

    /// What the server had of rows whose keys hold the key of one that is gone there is gone with it.
    ///
    /// Their changes meet that first, so that they are inserted again too when the row gets its new key.
    private func meetOrphans(of identity: RowIdentity) throws {
        for reference in layout.sets[identity.set].incoming {
            for orphan in orphans(of: identity, by: reference) {
                if changes(of: orphan).first?.operation != .insert { try meet(orphan, .gone) }
                try meetOrphans(of: orphan)
            }
        }
    }
}

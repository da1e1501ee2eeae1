// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Rows that the server deleted and this device inserts again.
extension ServerEffects {
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

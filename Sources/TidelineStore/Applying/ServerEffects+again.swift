// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Rows that the server deleted and this device inserts again.
extension ServerEffects {
    /// Update beats delete: a row that the server deleted and this device changed is inserted again, whole.
    ///
    /// See ``Reinsertion``.
    ///
    /// - Parameter made: the row as the first transaction left it.
    func insertAgain(_ meeting: Meeting, _ made: StoredRow) throws {
        let (identity, set, entry) = (meeting.identity, meeting.set, meeting.first.entry)
        let holders = Set(meeting.places.map(\.entry)).sorted()
        var again = try Reinsertion(
            of: identity,
            made.values,
            in: holders.map { log.entries[$0].changes },
            before: log.entries[(entry + 1)...].lazy.map(\.changes),
            layout
        ) { row in try isGone(row) && !places(of: row).contains { $0.entry <= entry } }
        var row = StoredRow(values: again.row, etag: nil)
        let isOrphan = try followMoved(&row, of: set)
        again.begin { change, _ in
            change.operation = .insert
            change.row = row.values
        }
        for (place, changes) in zip(holders, again.transactions) {
            log.entries[place].changes = changes
            changed(place, changes.indices.filter { changes[$0].identity == identity })
        }
        dropEmpty(identity)
        forgetHeldVersions(of: identity)
        try dropBase(identity)
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

    /// Whether the server has a row no more, as far as this device was told: a pull that is under way may not have told the row
    /// itself yet.
    func isGone(_ identity: RowIdentity) throws -> Bool {
        if let change = try staged[identity.set]?.change(of: identity.key) {
            return change.reason == HiddenTableSink.Removal.deleted.rawValue
        }
        if let base = try base(identity) { return if case .gone = base { true } else { false } }
        return try connection.row(layout.sets[identity.set], identity.key) == nil
    }

    /// What lies in the quarantine of a row that is inserted again was made on no version of the new one.
    func forgetHeldVersions(of identity: RowIdentity) {
        for entry in quarantine.indices {
            for change in quarantine[entry].changes.indices
            where quarantine[entry].changes[change].identity == identity {
                quarantine[entry].changes[change].etag = nil
                dirtyQuarantine.insert(quarantine[entry].id)
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

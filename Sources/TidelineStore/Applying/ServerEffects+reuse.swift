// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A row of the server that has the key of another one, which is deleted there and has changes of this device.
extension ServerEffects {
    /// Whether the server's row is another one than that which this device changed: its ETag tells another use of the key.
    func isAnother(_ theirs: StoredRow?, _ identity: RowIdentity) -> Bool {
        guard layout.sets[identity.set].isGenerated, let now = ETagText.etag(theirs?.etag)?.reuse,
            let known = changes(of: identity).lazy.compactMap({ ETagText.etag($0.etag) }).first
        else { return false }
        return known.reuse != now
    }

    /// Takes out of all ETags which use of a key they tell, for a new publication of the domain counts the uses anew.
    ///
    /// What it gives one row would be taken for another one's use of the key, and the change of the row inserted again. A
    /// load stays as it is: one that is applied yet is of the new publication, whose links are the only ones that lead on.
    func forgetReuses() throws {
        for entry in log.entries.indices where Self.forgetReuses(&log.entries[entry].changes) {
            log.entries[entry].isDirty = true
        }
        for entry in quarantine.indices where Self.forgetReuses(&quarantine[entry].changes) {
            dirtyQuarantine.insert(quarantine[entry].id)
        }
        try connection.run(ETagText.forgetReuseSQL(in: "tideline_base", column: "etag"))
        let hidden = try HiddenTables(connection)
        for set in layout.sets where set.isGenerated {
            try connection.run(ETagText.forgetReuseSQL(in: set.table))
            if hidden.hasStage(of: set) { try connection.run(ETagText.forgetReuseSQL(in: set.stageTable)) }
        }
        try save()
    }

    /// Whether one of these told a use.
    private static func forgetReuses(_ changes: inout [OutboxChange]) -> Bool {
        let before = changes.map(\.etag)
        for change in changes.indices { changes[change].etag = changes[change].etag.map(ETagText.withoutReuse) }
        return changes.map(\.etag) != before
    }

    /// Gives the row that this device changed a temporary key, under which it meets that it was deleted, and its old key
    /// to the server's.
    func moveAway(_ identity: RowIdentity, for theirs: StoredRow) throws {
        try moveAway(identity)
        try show(identity, theirs)
    }

    /// Makes room for a row that this device inserted, to which the server gave the key of another one that this device
    /// changed: that one is gone there, whatever the service says of the key's use.
    ///
    /// - Parameters:
    ///   - number: the transaction of the insert.
    ///   - etag: the version of the new row. Who changed that one knows the row from a pull, which was faster.
    func makeRoom(at identity: RowIdentity, for number: Int64, etag: String?) throws {
        let holders = holders(of: identity)
        guard !holders.contains(where: { log.entries[$0].number == number }) else { return }
        guard !holders.isEmpty || isHeld(identity) else { return }
        if let etag, changes(of: identity).first?.etag == etag { return }
        try moveAway(identity)
    }

    private func moveAway(_ identity: RowIdentity) throws {
        try dropBase(identity)
        let moved = try giveTemporaryKey(identity, layout.sets[identity.set], isReused: true)
        movedAway[identity] = moved
        try meet(moved, .gone)
    }

    /// Lets a row that is inserted again refer to those that left their keys, not to the ones that have these now.
    ///
    /// - Returns: whether one of them is gone for good; the reference stays as it is then, for a person to look at.
    func followMoved(_ row: inout StoredRow, of set: SetLayout) throws -> Bool {
        var isGone = false
        for reference in set.outgoing {
            let values = reference.childPlaces.map { row.values[$0] }
            let parent = layout.sets[reference.parent]
            guard let key = parent.key(from: values, reference), !values.contains(.null),
                let moved = movedAway[RowIdentity(set: reference.parent, key: key)],
                let now = reference.values(of: moved, layout)
            else { continue }
            guard try connection.row(parent, moved.key) != nil else {
                isGone = true
                continue
            }
            for (place, value) in zip(reference.childPlaces, now) { row.values[place] = value }
        }
        return isGone
    }
}

extension SetLayout {
    /// The key of the row that values refer to, or `nil` where other properties than the key are referred to.
    fileprivate func key(from values: [Value], _ reference: Reference) -> [Value]? {
        let places = key.compactMap { reference.parentPlaces.firstIndex(of: $0) }
        return places.count == key.count && key.count == values.count ? places.map { values[$0] } : nil
    }
}

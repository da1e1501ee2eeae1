// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Deletions that do not count, because a row stays that they would take along or leave without what it refers to: they
/// are given up with all that their transactions did for them.
extension ServerEffects {
    /// What a row refers to stays with it, though this device deleted it: another one gave the row its reference, and
    /// the service would refuse the deletion or take the row along, changes of this device and all.
    ///
    /// - Parameter held: a transaction of the quarantine that is looked at too.
    func keepPrincipals(of identity: RowIdentity, held: Int64? = nil) throws {
        let set = layout.sets[identity.set]
        guard let row = try connection.row(set, identity.key) else { return }
        for reference in set.outgoing {
            let values = reference.childPlaces.map { row.values[$0] }
            guard let (number, deletion) = deletion(of: reference, values, held: held),
                let theirs = try serverRow(deletion.identity)
            else { continue }
            try keep(deletion, theirs, number)
            try keepPrincipals(of: deletion.identity, held: held)
            try keepDependents(of: deletion, number, held: held)
        }
    }

    /// What this device deleted together with a row that stays comes back with it, and what it took away from the row
    /// refers to it again: the deletion was of them all.
    ///
    /// What they refer to stays with them in its turn.
    ///
    /// - Parameter held: a transaction of the quarantine that is looked at too.
    func keepDependents(of deletion: OutboxChange, _ number: Int64, held: Int64? = nil) throws {
        for reference in layout.sets[deletion.set].incoming {
            let values = reference.parentPlaces.map { deletion.row[$0] }
            guard !values.contains(.null) else { continue }
            let released = reference.released(layout)
            for change in transaction(number) where change.set == reference.child {
                guard reference.childPlaces.map({ change.before($0) }) == values.map(Optional.some) else { continue }
                switch change.operation {
                case .delete:
                    guard changes(of: change.identity).last == change else { continue }
                    let theirs = try serverRow(change.identity)
                    guard theirs != nil || isInserted(change.identity) else { continue }
                    try keep(change, theirs, number)
                    try keepPrincipals(of: change.identity, held: held)
                    try keepDependents(of: change, number, held: held)
                case .update where released.allSatisfy({ change.after($0) == $1 }) && !released.isEmpty:
                    try linkAgain(change, reference)
                case .update, .insert: continue
                }
            }
        }
    }

    /// The changes of a transaction that waits, or lies in the quarantine.
    private func transaction(_ number: Int64) -> [OutboxChange] {
        log.entries.filter { $0.number == number && !$0.isFrozen }.flatMap(\.changes)
            + quarantine.filter { $0.number == number }.flatMap(\.changes)
    }

    /// Whether a row is one that this device made, and has not sent.
    private func isInserted(_ identity: RowIdentity) -> Bool { changes(of: identity).first?.operation == .insert }

    /// A row stays that this device deleted, as its last change.
    ///
    /// - Parameter theirs: what the server has of it: nothing of one that this device made.
    private func keep(_ deletion: OutboxChange, _ theirs: StoredRow?, _ number: Int64) throws {
        let identity = deletion.identity
        let set = layout.sets[identity.set]
        try endQuestions(of: identity)
        if let theirs {
            let lost = clashes(nil, theirs.values, base: deletion.row, set, mineWon: false)
            try logConflict(identity, .deletedHere, number, lost)
        }
        // What was changed before the deletion is still to be sent.
        replace(deletion, with: nil)
        if changes(of: identity).isEmpty { try dropBase(identity) }
        try show(identity, theirs)
    }

    /// What a person was asked about the deletion of a row is answered, since it does not count.
    private func endQuestions(of identity: RowIdentity) throws {
        for question in waiting where question.identity == identity && question.kind == .deletedHere {
            try connection.run("DELETE FROM main.tideline_conflicts WHERE id = ?") { $0.integer(question.id) }
        }
        waiting.removeAll { $0.identity == identity && $0.kind == .deletedHere }
    }

    /// A row refers again to one that stays, unless it was given another reference since.
    private func linkAgain(_ change: OutboxChange, _ reference: SetLayout.Reference) throws {
        let identity = change.identity
        let all = changes(of: identity)
        let theirs = try serverRow(identity)
        guard let place = all.firstIndex(of: change), theirs != nil || isInserted(identity),
            !all[(place + 1)...].contains(where: { later in
                reference.childPlaces.contains { later.before($0) != nil }
            })
        else { return }
        var rest = change
        rest.assignments.removeAll { reference.childPlaces.contains($0.property) }
        replace(change, with: rest.assignments.isEmpty ? nil : rest)
        if changes(of: identity).isEmpty { try dropBase(identity) }
        try show(identity, theirs)
    }

    /// Puts another change in the place of one that waits or lies in the quarantine, or takes it out.
    private func replace(_ old: OutboxChange, with new: OutboxChange?) {
        func put(in changes: inout [OutboxChange]) -> Int? {
            guard let place = changes.firstIndex(of: old) else { return nil }
            if let new { changes[place] = new } else { changes.remove(at: place) }
            return place
        }
        let identity = old.identity
        let holders = holders(of: identity)
        let referring = referring(to: identity)
        for entry in holders where !log.entries[entry].isFrozen {
            guard let place = put(in: &log.entries[entry].changes) else { continue }
            changed(entry, new == nil ? [] : [place])
        }
        keepOrder(of: holders, and: referring, around: identity)
        for entry in quarantine.indices where put(in: &quarantine[entry].changes) != nil {
            dirtyQuarantine.insert(quarantine[entry].id)
        }
    }

    /// The deletion of the row that has the values of a reference, and its transaction, where it waits and is the last
    /// change of that row.
    private func deletion(
        of reference: SetLayout.Reference,
        _ values: [Value],
        held: Int64?
    ) -> (number: Int64, change: OutboxChange)? {
        guard !values.contains(.null) else { return nil }
        let isKey = reference.parentPlaces == layout.sets[reference.parent].key
        let places = isKey ? holders(of: RowIdentity(set: reference.parent, key: values)) : Array(log.entries.indices)
        let waiting = places.map { log.entries[$0] }.filter { !$0.isFrozen }.map { ($0.number, $0.changes) }
        let inQuarantine = quarantine.filter { $0.number == held }.map { ($0.number, $0.changes) }
        for (number, changes) in waiting + inQuarantine {
            let found = changes.last { change in
                change.operation == .delete && change.set == reference.parent
                    && reference.parentPlaces.map { change.row[$0] } == values
            }
            if let found, self.changes(of: found.identity).last == found { return (number, found) }
        }
        return nil
    }
}

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
        // What is inserted, or moved below the row that is inserted again, comes after that one's deletion.
        let isThere = changes(of: identity).allSatisfy { $0.operation == .update }
        let there = try isThere ? serverRow(identity) : nil
        for reference in set.outgoing {
            let values = reference.childPlaces.map { row.values[$0] }
            let isBelow = there.map { row in reference.childPlaces.map { row.values[$0] } == values } ?? false
            guard let (number, deletion) = deletion(of: reference, values, isBelow: isBelow, held: held),
                let theirs = try serverRow(deletion.identity)
            else { continue }
            let deletions = try keep(deletion, theirs, number)
            try keepPrincipals(of: deletion.identity, held: held)
            for (number, deletion) in deletions { try keepDependents(of: deletion, number, held: held) }
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
                    let deletions = try keep(change, theirs, number)
                    try keepPrincipals(of: change.identity, held: held)
                    for (number, deletion) in deletions { try keepDependents(of: deletion, number, held: held) }
                case .update where released.allSatisfy({ change.after($0) == $1 }) && !released.isEmpty:
                    try linkAgain(change, number, reference)
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

    /// A row stays that this device deleted, and may have inserted again since.
    ///
    /// - Parameter theirs: what the server has of it: nothing of one that this device made.
    /// - Returns: the deletions that are given up, each with its transaction.
    private func keep(_ deletion: OutboxChange, _ theirs: StoredRow?, _ number: Int64) throws -> [Numbered] {
        let identity = deletion.identity
        try endQuestions(of: identity)
        let all = numbered(identity)
        // What was changed before the deletion is still to be sent.
        let start = all.indices.first { all[$0].change.operation == .delete && isChangeable(all[$0...]) }
        guard let theirs, let start else {
            // Of a row that this device made nobody else has anything.
            if let theirs {
                let lost = clashes(nil, theirs.values, base: deletion.row, layout.sets[identity.set], mineWon: false)
                try logConflict(identity, .deletedHere, number, lost)
            }
            replace(deletion, of: number, with: nil)
            if changes(of: identity).isEmpty { try dropBase(identity) }
            try show(identity, theirs)
            return [(number, deletion)]
        }
        let given = Array(all[start...])
        if given.last?.change.operation != .delete {
            try changeInstead(given, after: all[..<start].map(\.change), theirs)
            // What a later deletion took along was made, or moved there, by this device alone.
            return [given[0]]
        }
        let set = layout.sets[identity.set]
        let lost = clashes(nil, theirs.values, base: given[0].change.row, set, mineWon: false)
        try logConflict(identity, .deletedHere, number, lost)
        for (number, change) in given { replace(change, of: number, with: nil) }
        if changes(of: identity).isEmpty { try dropBase(identity) }
        try show(identity, theirs)
        return given.filter { $0.change.operation == .delete }
    }

    /// Changes the server's row to what this device inserted under its key after a deletion, so that what refers to the
    /// row does not fall meanwhile.
    ///
    /// - Parameters:
    ///   - given: the changes of the row from the deletion on.
    ///   - earlier: the updates before it.
    private func changeInstead(_ given: [Numbered], after earlier: [OutboxChange], _ theirs: StoredRow) throws {
        guard let place = given.lastIndex(where: { $0.change.operation == .insert }) else { return }
        let (number, insert) = given[place]
        let (identity, set) = (insert.identity, layout.sets[insert.set])
        let first = given[0].change
        if let known = (earlier.first ?? first).etag, known != theirs.etag {
            // The server's version was kept while the answer to another change was awaited: it meets these now.
            var base = first.row
            for one in earlier.reversed().flatMap(\.assignments) { base[one.property] = one.before }
            let mine = try rolledForward(given.map(\.change))?.values
            let lost = clashes(mine, theirs.values, base: base, set, mineWon: true).filter {
                $0.theirs != $0.base && $0.theirs != $0.mine
            }
            if !lost.isEmpty { try logConflict(identity, .update, number, lost) }
        }
        var current = theirs.values
        for one in earlier.flatMap(\.assignments) { current[one.property] = one.after }
        var update = insert
        update.operation = .update
        update.row = []
        update.etag = earlier.isEmpty ? theirs.etag : first.etag
        update.assignments = travelling(insert.row, of: set).filter {
            set.columns[$0].property.isWritable && !set.key.contains($0) && current[$0] != insert.row[$0]
        }.map { Change.Assignment(property: $0, before: current[$0], after: insert.row[$0]) }
        for (number, change) in given[..<place] { replace(change, of: number, with: nil) }
        replace(insert, of: number, with: update.assignments.isEmpty ? nil : update)
        if update.assignments.isEmpty, given.indices.contains(place + 1) {
            // The version passes on to the first change that is left.
            var next = given[place + 1].change
            next.etag = update.etag
            replace(given[place + 1].change, of: given[place + 1].number, with: next)
        }
        if earlier.isEmpty { try settleBase(identity, theirs) }
        try show(identity, theirs)
    }

    /// A change with the number of its transaction.
    private typealias Numbered = (number: Int64, change: OutboxChange)

    /// The changes of a row that are not on the server, oldest first.
    private func numbered(_ identity: RowIdentity) -> [Numbered] {
        var all: [Numbered] = []
        for entry in quarantine {
            for change in entry.changes where change.identity == identity { all.append((entry.number, change)) }
        }
        for place in places(of: identity) where !log.entries[place.entry].isIncluded {
            let entry = log.entries[place.entry]
            all.append((entry.number, entry.changes[place.change]))
        }
        return all.sorted { ($0.number, $0.change.turn) < ($1.number, $1.change.turn) }
    }

    /// Whether none of these changes is on its way.
    private func isChangeable(_ changes: some Sequence<Numbered>) -> Bool {
        changes.allSatisfy { change in log.place(change.number).map { !log.entries[$0].isFrozen } ?? true }
    }

    /// What a person was asked about the deletion of a row is answered, since it does not count.
    private func endQuestions(of identity: RowIdentity) throws {
        for question in waiting where question.identity == identity && question.kind == .deletedHere {
            try connection.run("DELETE FROM main.tideline_conflicts WHERE id = ?") { $0.integer(question.id) }
        }
        waiting.removeAll { $0.identity == identity && $0.kind == .deletedHere }
    }

    /// A row refers again to one that stays, unless it was given another reference since.
    private func linkAgain(_ change: OutboxChange, _ number: Int64, _ reference: SetLayout.Reference) throws {
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
        replace(change, of: number, with: rest.assignments.isEmpty ? nil : rest)
        if changes(of: identity).isEmpty { try dropBase(identity) }
        try show(identity, theirs)
    }

    /// Puts another change in the place of one that waits or lies in the quarantine, or takes it out.
    ///
    /// - Parameter number: its transaction: another one may have made the same change.
    private func replace(_ old: OutboxChange, of number: Int64, with new: OutboxChange?) {
        func put(in changes: inout [OutboxChange]) -> Int? {
            guard let place = changes.firstIndex(of: old) else { return nil }
            if let new { changes[place] = new } else { changes.remove(at: place) }
            return place
        }
        let identity = old.identity
        let holders = holders(of: identity)
        let referring = referring(to: identity)
        for entry in holders where log.entries[entry].number == number && !log.entries[entry].isFrozen {
            guard let place = put(in: &log.entries[entry].changes) else { continue }
            changed(entry, new == nil ? [] : [place])
        }
        keepOrder(of: holders, and: referring, around: identity)
        for entry in quarantine.indices where quarantine[entry].number == number {
            guard put(in: &quarantine[entry].changes) != nil else { continue }
            dirtyQuarantine.insert(quarantine[entry].id)
        }
    }

    /// The deletion of the row that has the values of a reference, and its transaction, where it waits and the row that
    /// refers falls with it.
    ///
    /// - Parameter isBelow: whether the server's row refers to it, so that it falls although the other one is inserted
    ///   again.
    private func deletion(
        of reference: SetLayout.Reference,
        _ values: [Value],
        isBelow: Bool,
        held: Int64?
    ) -> (number: Int64, change: OutboxChange)? {
        guard !values.contains(.null) else { return nil }
        let isKey = reference.parentPlaces == layout.sets[reference.parent].key
        let places = isKey ? holders(of: RowIdentity(set: reference.parent, key: values)) : Array(log.entries.indices)
        let waiting = places.map { log.entries[$0] }.filter { !$0.isFrozen }.map { ($0.number, $0.changes) }
        let inQuarantine = quarantine.filter { $0.number == held }.map { ($0.number, $0.changes) }
        for (number, changes) in waiting + inQuarantine {
            let found = changes.first { change in
                change.operation == .delete && change.set == reference.parent
                    && reference.parentPlaces.map { change.row[$0] } == values
            }
            guard let found else { continue }
            let all = numbered(found.identity)
            if all.last?.change.operation == .delete { return (number, found) }
            guard isBelow, all.first?.change.operation != .insert,
                let place = all.firstIndex(where: { $0.number == number && $0.change == found }),
                isChangeable(all[place...])
            else { continue }
            return (number, found)
        }
        return nil
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Deletions that meet changes: the change wins, unless the policy of the entity type says who does.
extension ServerEffects {
    /// This device deleted a row that the server changed.
    ///
    /// - Returns: false where a person is to decide.
    func meetDeletion(
        _ identity: RowIdentity,
        _ all: [OutboxChange],
        _ theirs: StoredRow,
        _ number: Int64,
        _ first: (entry: Int, change: Int),
        _ set: SetLayout
    ) throws -> Bool {
        switch set.set.type.conflictPolicy?.rule {
        case .clientWins?, .lastEdit?:
            let base = all.last?.row ?? theirs.values
            let whole = clashes(nil, theirs.values, base: base, set, mineWon: true)
            try logConflict(identity, .deletedHere, number, whole)
            try changeFirst(first) { $0.etag = theirs.etag }
        case .ask?:
            let base = all.last?.row ?? theirs.values
            let whole = clashes(nil, theirs.values, base: base, set, mineWon: false)
            try ask(identity, .deletedHere, number, whole, theirs)
            return false
        default:
            try logConflict(identity, .deletedHere, number, clashes(all[0], all, theirs, set, mineWon: false))
            let transactions = holders(of: identity).map { log.entries[$0] }.filter { entry in
                entry.changes.contains { $0.identity == identity && $0.operation == .delete }
            }
            drop(identity)
            for transaction in transactions { try keepDependents(of: identity, theirs, transaction.number) }
        }
        return true
    }

    /// This device deleted a row that the server changed, and inserted it again under its key: the new row counts, and
    /// the log keeps what the server has.
    func meetReplacement(
        _ identity: RowIdentity,
        _ all: [OutboxChange],
        _ theirs: StoredRow,
        _ number: Int64,
        _ set: SetLayout
    ) throws {
        guard var before = try rolledBack(identity, all) else { return }
        // What is kept of the server counts only where the changes met it, and have its version: what a pull brought while
        // they were on their way or lay in the quarantine, they meet now.
        if case let kept?? = try base(identity), kept.etag == all[0].etag { before = kept }
        let mine = try rolledForward(all)?.values
        let lost = clashes(mine, theirs.values, base: before.values, set, mineWon: true).filter {
            $0.theirs != $0.base && $0.theirs != $0.mine
        }
        if !lost.isEmpty { try logConflict(identity, .update, number, lost) }
    }

    /// The server deleted a row that this device changed.
    func meetAbsence(
        _ identity: RowIdentity,
        _ all: [OutboxChange],
        _ number: Int64,
        _ first: (entry: Int, change: Int),
        _ set: SetLayout
    ) throws {
        // What is held comes after these changes, and is sent by itself.
        guard let mine = try rolledBack(identity, heldChanges(of: identity)) else {
            // It left what the user may see before, and took its values along: its changes alone do not make it again.
            return try giveUp(identity, number, clashes(all[0], all, nil, set, mineWon: false))
        }
        let base = try rolledBack(identity, changes(of: identity)) ?? mine
        let whole = clashes(mine.values, nil, base: base.values, set, mineWon: false)
        switch set.set.type.conflictPolicy?.rule {
        case .serverWins?: try giveUp(identity, number, whole)
        case .ask?: try ask(identity, .deletedThere, number, whole, nil)
        default:
            try logConflict(identity, .deletedThere, number, clashes(all[0], all, nil, set, mineWon: true))
            try insertAgain(identity, mine, first, set)
        }
    }

    /// The changes of a row that the server does not have any more lose.
    private func giveUp(_ identity: RowIdentity, _ number: Int64, _ lost: [Clash]) throws {
        try logConflict(identity, .deletedThere, number, lost)
        drop(identity)
        try settleBase(identity, nil)
        try show(identity, nil)
    }

    /// What a row refers to stays with it, though this device deleted it: another one gave the row its reference, and
    /// the service would refuse the deletion or take the row along, changes of this device and all.
    func keepPrincipals(of identity: RowIdentity) throws {
        let set = layout.sets[identity.set]
        guard let row = try connection.row(set, identity.key) else { return }
        for reference in set.outgoing {
            let values = reference.childPlaces.map { row.values[$0] }
            guard let (number, deletion) = deletion(of: reference, values),
                let theirs = try serverRow(deletion.identity)
            else { continue }
            try keep(deletion, theirs, number)
            try keepPrincipals(of: deletion.identity)
        }
    }

    /// What this device deleted together with a row that stays comes back with it: the deletion was of them all.
    private func keepDependents(of identity: RowIdentity, _ row: StoredRow, _ number: Int64) throws {
        for reference in layout.sets[identity.set].incoming {
            let values = reference.parentPlaces.map { row.values[$0] }
            guard !values.contains(.null) else { continue }
            let deletions = log.entries.filter { $0.number == number && !$0.isFrozen }.flatMap(\.changes).filter {
                change in
                change.operation == .delete && change.set == reference.child
                    && reference.childPlaces.map { change.row[$0] } == values
            }
            for deletion in deletions where changes(of: deletion.identity).last == deletion {
                guard let theirs = try serverRow(deletion.identity) else { continue }
                try keep(deletion, theirs, number)
                try keepDependents(of: deletion.identity, theirs, number)
            }
        }
    }

    /// A row stays that this device deleted, as its last change.
    private func keep(_ deletion: OutboxChange, _ theirs: StoredRow, _ number: Int64) throws {
        let identity = deletion.identity
        let set = layout.sets[identity.set]
        try logConflict(
            identity,
            .deletedHere,
            number,
            clashes(nil, theirs.values, base: deletion.row, set, mineWon: false)
        )
        // What was changed before the deletion is still to be sent.
        forget(identity) { change, isLater in
            isLater = isLater || change.operation == .delete
            return !isLater
        }
        if changes(of: identity).isEmpty { try dropBase(identity) }
        try show(identity, theirs)
    }

    /// The deletion of the row that has the values of a reference, and its transaction, where it waits and is the last
    /// change of that row.
    private func deletion(
        of reference: SetLayout.Reference,
        _ values: [Value]
    ) -> (number: Int64, change: OutboxChange)? {
        guard !values.contains(.null) else { return nil }
        let isKey = reference.parentPlaces == layout.sets[reference.parent].key
        let places = isKey ? holders(of: RowIdentity(set: reference.parent, key: values)) : Array(log.entries.indices)
        for entry in places.map({ log.entries[$0] }) where !entry.isFrozen {
            let found = entry.changes.last { change in
                change.operation == .delete && change.set == reference.parent
                    && reference.parentPlaces.map { change.row[$0] } == values
            }
            if let found, changes(of: found.identity).last == found { return (entry.number, found) }
        }
        return nil
    }
}

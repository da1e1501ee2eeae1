// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Deletions that meet changes: the change wins, unless the policy of the entity type says who does.
extension ServerEffects {
    /// Whether a deletion is sent as it was made, though a pull brought the row in another version: nobody else may have
    /// changed it, which the service knows better.
    func isLeftToService(_ meeting: Meeting, _ theirs: StoredRow) throws -> Bool {
        // Without a version the service cannot tell whether another changed the row.
        guard meeting.endsWithDeletion, !meeting.isInsert, meeting.changes[0].etag != nil, theirs.etag != nil,
            let before = try rowBefore(meeting)
        else { return false }
        // Below another row it may fall with that one before the service looks at it.
        let references = meeting.set.outgoing.flatMap(\.childPlaces)
        guard references.allSatisfy({ theirs.values[$0] == before.values[$0] }) else { return false }
        if holdsOwn { return true }
        guard isPulled else { return false }
        // A column that went away comes as null.
        return meeting.set.columns.filter { !$0.property.isLocalOnly }.map(\.place).allSatisfy {
            theirs.values[$0].isNull || theirs.values[$0] == before.values[$0]
        }
    }

    /// The server's row that changes were made on.
    private func rowBefore(_ meeting: Meeting) throws -> StoredRow? {
        let (identity, all) = (meeting.identity, meeting.changes)
        guard let before = try rolledBack(identity, all) else { return nil }
        // What is kept of the server counts only where the changes met it, and have its version: what a pull brought while
        // they were on their way or lay in the quarantine, they meet now.
        if case .row(let kept)? = try base(identity), kept.etag == all[0].etag { return kept }
        return before
    }

    /// Whether a row has another version although nobody changed it: the server's model is another one, as without a column
    /// or with another type of one.
    ///
    /// Where the server has a property that this device does not know, somebody may have changed that.
    private func isUnchanged(_ theirs: StoredRow, since meeting: Meeting) throws -> Bool {
        guard let served = theirs.served, theirs.unread.isEmpty, theirs.etag != nil, let before = try rowBefore(meeting)
        else { return false }
        return served.allSatisfy { theirs.values[$0] == before.values[$0] }
    }

    /// This device deleted a row that the server has in another version.
    ///
    /// - Returns: false where a person is to decide.
    func meetDeletion(_ meeting: Meeting, _ theirs: StoredRow) throws -> Bool {
        let (identity, all, number, set) = (meeting.identity, meeting.changes, meeting.number, meeting.set)
        guard try !isUnchanged(theirs, since: meeting) else {
            try changeFirst(meeting.first) { $0.etag = theirs.etag }
            return true
        }
        switch set.set.type.conflictPolicy?.rule {
        case .clientWins?, .lastEdit?:
            let base = all.last?.row ?? theirs.values
            let whole = clashes(nil, theirs.values, base: base, set, mineWon: true)
            try logConflict(identity, .deletedHere, number, whole)
            try changeFirst(meeting.first) { $0.etag = theirs.etag }
        case .ask?:
            let base = all.last?.row ?? theirs.values
            let whole = clashes(nil, theirs.values, base: base, set, mineWon: false)
            // A person decides about this version, and about none that comes before the answer.
            try changeFirst(meeting.first) { $0.etag = theirs.etag }
            try ask(identity, .deletedHere, number, whole, theirs)
            return false
        default:
            try logConflict(identity, .deletedHere, number, clashes(all[0], all, theirs, set, mineWon: false))
            let deletions = holders(of: identity).flatMap { place in
                let entry = log.entries[place]
                return entry.changes.filter { $0.identity == identity && $0.operation == .delete }.map {
                    (entry.number, $0)
                }
            }
            drop(identity)
            for (number, deletion) in deletions { try keepDependents(of: deletion, number) }
        }
        return true
    }

    /// This device deleted a row that the server changed, and inserted it again under its key: the new row counts, and
    /// the log keeps what the server has.
    func meetReplacement(_ meeting: Meeting, _ theirs: StoredRow) throws {
        let (identity, all) = (meeting.identity, meeting.changes)
        guard let before = try rowBefore(meeting) else { return }
        let mine = try rolledForward(all)?.values
        let lost = clashes(mine, theirs.values, base: before.values, meeting.set, mineWon: true).filter {
            $0.theirs != $0.base && $0.theirs != $0.mine
        }
        if !lost.isEmpty { try logConflict(identity, .update, meeting.number, lost) }
    }

    /// Both deleted a row; what is inserted again here stays.
    func meetSecondDeletion(_ meeting: Meeting) throws {
        let identity = meeting.identity
        // Of a row that was out of sight nobody knows whether it is gone.
        if try isOutOfSight(identity), let deletion = meeting.changes.last(where: { $0.operation == .delete }) {
            let lost = clashes(nil, nil, base: deletion.row, meeting.set, mineWon: false)
            try logConflict(identity, .deletedHere, meeting.number, lost)
        }
        forget(identity) { change, seen in
            if change.operation == .insert { seen = true }
            return seen
        }
        try settleBase(identity, nil)
    }

    /// The server deleted a row that this device changed.
    func meetAbsence(_ meeting: Meeting) throws {
        let (identity, all, number, set) = (meeting.identity, meeting.changes, meeting.number, meeting.set)
        // What is held comes after these changes, and is sent by itself.
        guard let mine = try rolledBack(identity, heldChanges(of: identity)),
            let made = try rolledBack(identity, changes(of: identity, except: number)), try !isOutOfSight(identity)
        else {
            // It left what the user may see before, so that nobody knows whether it is there: it is not made again.
            return try giveUp(identity, number, clashes(all[0], all, nil, set, mineWon: false))
        }
        let base = try rolledBack(identity, changes(of: identity)) ?? mine
        let whole = clashes(mine.values, nil, base: base.values, set, mineWon: false)
        switch set.set.type.conflictPolicy?.rule {
        case .serverWins?: try giveUp(identity, number, whole)
        case .ask?: try ask(identity, .deletedThere, number, whole, nil)
        default:
            try logConflict(identity, .deletedThere, number, clashes(all[0], all, nil, set, mineWon: true))
            try insertAgain(meeting, made)
        }
    }

    /// The changes of a row that the server does not have any more lose.
    private func giveUp(_ identity: RowIdentity, _ number: Int64, _ lost: [Clash]) throws {
        try logConflict(identity, .deletedThere, number, lost)
        drop(identity)
        try settleBase(identity, nil)
        try show(identity, nil)
    }
}

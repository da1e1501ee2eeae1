// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What is done when a state of the server comes to a row.
extension ServerEffects {
    /// The server tells what it has of a row.
    ///
    /// - Parameter isOwn: whether the state is the answer to this device's own change, so that meeting it joins nothing.
    func meet(_ identity: RowIdentity, _ server: ServerRow, isOwn: Bool = false) throws {
        let theirs = server.row
        let before = merged
        defer { if isOwn { merged = before } }
        let set = layout.sets[identity.set]
        let places = places(of: identity).filter { !log.entries[$0.entry].isIncluded }
        let isFrozen = places.contains { log.entries[$0.entry].isFrozen }
        if !isOwn, let theirs, isAnother(theirs, identity) {
            // The row that was changed here stays as it is until the answer has come.
            if isFrozen { return try setBase(identity, server) }
            return try moveAway(identity, for: theirs)
        }
        // The answer to what was sent is awaited, or the user decides: until then both states are kept.
        guard let first = places.first, !isFrozen else {
            if isFrozen || isHeld(identity) { try setBase(identity, server) } else { try dropBase(identity) }
            return try show(identity, theirs)
        }
        // What lies in the quarantine beside these was made after them, so they go on without it.
        let meeting = Meeting(
            identity: identity,
            set: set,
            places: places,
            changes: places.map { log.entries[$0.entry].changes[$0.change] },
            number: log.entries[first.entry].number,
            isOwn: isOwn
        )
        if case .outOfSight = server, !meeting.isInsert { return try leave(meeting) }
        if let theirs, theirs.etag != nil, !meeting.isInsert, meeting.changes[0].etag == theirs.etag {
            try setReferencesBefore(meeting, theirs)
            if began(meeting, on: theirs) {
                // What was kept while an answer was awaited is of then: a row that is changed back has its old version.
                try keepBase(identity, theirs)
            } else {
                // A version is of values, not of names: a column that has another name is not in the row any more.
                try setBase(identity, server)
            }
            return try show(identity, theirs)
        }
        if let theirs, !isOwn, try isLeftToService(meeting, theirs) {
            // Where nobody else changed it the service takes the deletion of the old version; else it tells so.
            try setBase(identity, server)
            return try show(identity, theirs)
        }
        guard try join(meeting, theirs) else { return }
        try show(identity, theirs)
        if !isOwn { try keepPrincipals(of: identity) }
    }

    /// Whether the values that changes found are those of the server's row.
    private func began(_ meeting: Meeting, on theirs: StoredRow) -> Bool {
        var seen = Set<Int>()
        let found = meeting.places.flatMap { log.entries[$0.entry].changes[$0.change].assignments }
            .filter { seen.insert($0.property).inserted }
        return found.allSatisfy { $0.before == theirs.values[$0.property] }
    }

    /// Joins what waits with what the server has now, by what each side did.
    ///
    /// - Returns: false where the row shows what it shall already, or a person is to decide.
    private func join(_ meeting: Meeting, _ theirs: StoredRow?) throws -> Bool {
        guard let theirs else {
            if meeting.isInsert {
                try settleBase(meeting.identity, nil)
            } else if meeting.hasDeletion {
                try meetSecondDeletion(meeting)
            } else {
                try meetAbsence(meeting)
                return false
            }
            return true
        }
        if meeting.isInsert {
            try meetInsert(meeting, theirs)
            return true
        }
        if !meeting.hasDeletion {
            guard try merge(meeting, theirs) else { return false }
            try settleBase(meeting.identity, theirs)
            return true
        }
        if meeting.endsWithDeletion, !meeting.isOwn {
            guard try meetDeletion(meeting, theirs) else { return false }
        } else {
            // What came of this device's own change is no change of another: the later deletion goes on from there.
            if !meeting.isOwn { try meetReplacement(meeting, theirs) }
            try changeFirst(meeting.first) { $0.etag = theirs.etag }
        }
        try keepBase(meeting.identity, theirs)
        return true
    }

    /// A second insert of a key: equal content is the same row, else the server will refuse and tell why.
    private func meetInsert(_ meeting: Meeting, _ theirs: StoredRow) throws {
        let (identity, all, set) = (meeting.identity, meeting.changes, meeting.set)
        if try isSame(all, theirs, set) {
            drop(identity)
            try settleBase(identity, theirs)
        } else if all.dropFirst().allSatisfy({ $0.operation == .update }), try isSame([all[0]], theirs, set) {
            // What was changed since goes on from the row that is there.
            dropFirst(of: identity)
            if let next = places(of: identity).first { try changeFirst(next) { $0.etag = theirs.etag } }
            try keepBase(identity, theirs)
        } else {
            try setBase(identity, .row(theirs))
        }
    }

    /// Lets changes begin with what the server's row refers to.
    ///
    /// A row that it referred to was gone on the server, and inserted again here under another key; a restored service has
    /// it again under the old one, and this row under the version that it had.
    private func setReferencesBefore(
        _ meeting: Meeting,
        _ theirs: StoredRow
    ) throws {
        for place in Set(meeting.set.outgoing.flatMap(\.childPlaces)).subtracting(meeting.set.key) {
            let first = meeting.places.first { log.entries[$0.entry].changes[$0.change].before(place) != nil }
            guard let first, log.entries[first.entry].changes[first.change].before(place) != theirs.values[place] else {
                continue
            }
            try changeFirst(first) { $0.setBefore(theirs.values[place], at: place) }
        }
    }

    /// A row left the subscription while changes of it wait: they go to the quarantine as a whole, the row goes.
    private func leave(_ meeting: Meeting) throws {
        for number in Set(meeting.places.map { log.entries[$0.entry].number }).sorted() {
            try toQuarantine(
                number,
                code: "LeftScope",
                message:
                    "An entity of '\(meeting.set.name)' that was changed here is no longer part of what you may see.",
                status: 0
            )
        }
        try setBase(meeting.identity, .outOfSight)
        touch(meeting.identity)
        try connection.remove(meeting.set, meeting.identity.key)
    }

    func changeFirst(_ place: (entry: Int, change: Int), _ body: (inout OutboxChange) -> Void) throws {
        body(&log.entries[place.entry].changes[place.change])
        changed(place.entry, [place.change])
    }

    /// Whether the row that an insert and what follows it make is the server's, as far as this device gives values.
    private func isSame(_ changes: [OutboxChange], _ theirs: StoredRow, _ set: SetLayout) throws -> Bool {
        guard let mine = try rolledForward(changes) else { return false }
        return travelling(mine.values, of: set).allSatisfy { mine.values[$0] == theirs.values[$0] }
    }

    /// Takes the first change of a row out of what waits.
    private func dropFirst(of identity: RowIdentity) {
        forget(identity) { _, isLater in
            defer { isLater = true }
            return isLater
        }
    }

    /// Takes all changes of a row out of what waits.
    func drop(_ identity: RowIdentity) {
        forget(identity) { _, _ in false }
    }

    func forget(_ identity: RowIdentity, keep: (OutboxChange, inout Bool) -> Bool) {
        let holders = holders(of: identity)
        let referring = referring(to: identity)
        var state = false
        for entry in holders where !log.entries[entry].isFrozen {
            let count = log.entries[entry].changes.count
            log.entries[entry].changes.removeAll { $0.identity == identity && !keep($0, &state) }
            if log.entries[entry].changes.count != count { log.entries[entry].isDirty = true }
        }
        keepOrder(of: holders, and: referring, around: identity)
    }
}

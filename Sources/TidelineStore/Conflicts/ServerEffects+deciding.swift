// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What a person decided about a change that waits: its transaction goes on as it was decided.
extension ServerEffects {
    /// Ends a conflict that waits, takes it out of the log, and sends what waited for it once nothing of it waits.
    ///
    /// - Throws: ``LocalStoreError``: `invalidValue` for a merged value that the property may not have.
    func decide(_ conflict: Waiting, _ choice: ConflictChoice) throws {
        let set = layout.sets[conflict.identity.set]
        let merged = try merged(choice, set)
        // Before the decision: what it takes out of the transaction, nothing builds on any more.
        let tied = try family([conflict.number])
        let base = try self.base(conflict.identity)?.row
        switch (conflict.kind, choice) {
        case (.update, .keepTheirs): changeHeld(conflict) { takeOut(conflict.clashes, of: &$0) }
        case (.update, _):
            let isMerge = if case .merge = choice { true } else { false }
            let others = isMerge ? conflict.clashes.filter { merged[$0.property] == nil } : []
            let rest = merged.filter { pair in !conflict.clashes.contains { $0.property == pair.key } }
            changeHeld(conflict) { changes in
                for clash in conflict.clashes where !others.contains(clash) {
                    keep(clash, merged[clash.property], in: &changes)
                }
                add(rest, to: &changes, before: base?.values)
                takeOut(others, of: &changes)
            }
        // The deletion has the version that was asked about: a newer one, or another row of the key, meets it and is asked
        // about again.
        case (.deletedHere, .keepMine): break
        case (.deletedHere, _): try giveUpDeletion(conflict, merged, base)
        case (.deletedThere, .keepTheirs): changeHeld(conflict) { for place in $0.indices { $0[place] = nil } }
        case (.deletedThere, _):
            // Where the database tells who has a key again, another row would have moved this one away.
            if let base, !set.isGenerated || ETagText.etag(base.etag).map({ $0.reuse > 0 }) == true {
                try change(conflict, merged, set, from: base, of: tied)
            } else {
                try insert(conflict, merged, set, beside: base, of: tied)
            }
        }
        try connection.run("DELETE FROM main.tideline_conflicts WHERE id = ?") { $0.integer(conflict.id) }
        waiting.removeAll { $0.id == conflict.id }
        // After it: what refers to the row that is inserted again was refused without it, and builds on it now.
        try putBehind(conflict.number)
        try release(tied + family([conflict.number]), conflict.identity)
    }

    /// The values of a merge by the places of the properties.
    private func merged(_ choice: ConflictChoice, _ set: SetLayout) throws -> [Int: Value] {
        guard case .merge(let values) = choice else { return [:] }
        var merged: [Int: Value] = [:]
        for (name, value) in values {
            guard let place = set.set.type.propertyIndex(wire: name) else {
                throw LocalStoreError(
                    .unknownProperty,
                    set: set.name,
                    properties: [name],
                    message: "'\(set.name)' has no property '\(name)'."
                )
            }
            if let broken = set.columns[place].property.violations(of: value).first {
                throw LocalStoreError(.invalidValue, set: set.name, properties: [name], message: broken.message)
            }
            merged[place] = value
        }
        return merged
    }

    /// The transaction, and those that build on it, by their identifiers in the quarantine.
    ///
    /// What builds on another one that stays there too stays with that; one that was decided, and waited for this one,
    /// goes along.
    private func family(_ numbers: [Int64]) throws -> [Int64] {
        var family: [Quarantine.Entry] = []
        var ties = Ties(layout)
        var others: [Quarantine.Entry] = []
        for entry in quarantine.sorted(by: { $0.number < $1.number }) {
            let isMember =
                numbers.contains(entry.number) || family.contains { $0.id == entry.dependsOn }
                || ties.isBase(of: entry.changes)
            let holder = others.first { Ties(layout, $0.changes).isBase(of: entry.changes) }
            // One that stays all the same builds on yet another one.
            if isMember, let holder, isDecided(holder), !numbers.contains(holder.number) {
                return try self.family(numbers + [holder.number])
            }
            if isMember, holder == nil {
                family.append(entry)
                ties.add(entry.changes)
            } else {
                others.append(entry)
                if isMember, let holder { try holdBehind(entry, holder.id) }
            }
        }
        return family.map(\.id)
    }

    /// Whether a transaction lay here for a person alone, who has decided.
    private func isDecided(_ entry: Quarantine.Entry) -> Bool {
        entry.code == Waiting.code && !waiting.contains { $0.number == entry.number }
    }

    /// Notes the entry that another one goes on waiting for.
    private func holdBehind(_ entry: Quarantine.Entry, _ holder: Int64) throws {
        guard let place = quarantine.firstIndex(where: { $0.id == entry.id }) else { return }
        quarantine[place].dependsOn = holder
        try connection.run("UPDATE main.tideline_quarantine SET depends_on = ? WHERE id = ?") {
            $0.integer(holder)
            $0.integer(entry.id)
        }
    }

    // MARK: The changes that wait

    /// Changes the changes of the row that lie in the quarantine, in their order; `nil` takes one out.
    private func changeHeld(_ conflict: Waiting, _ body: (inout [OutboxChange?]) -> Void) {
        var places: [(entry: Int, change: Int)] = []
        for entry in quarantine.indices.sorted(by: { quarantine[$0].number < quarantine[$1].number }) {
            for change in quarantine[entry].changes.indices
            where quarantine[entry].changes[change].identity == conflict.identity {
                places.append((entry, change))
            }
        }
        guard !places.isEmpty else { return }
        var changes: [OutboxChange?] = places.map { quarantine[$0.entry].changes[$0.change] }
        body(&changes)
        for (place, change) in zip(places, changes).reversed() {
            if let change {
                quarantine[place.entry].changes[place.change] = change
            } else {
                quarantine[place.entry].changes.remove(at: place.change)
            }
            dirtyQuarantine.insert(quarantine[place.entry].id)
        }
    }

    /// Takes values out, and the changes that are nothing without them.
    private func takeOut(_ clashes: [Clash], of changes: inout [OutboxChange?]) {
        var all = changes.compactMap(\.self)
        for clash in clashes { Waiting.remove(clash, from: &all) }
        changes = all.map { $0.operation == .update && $0.assignments.isEmpty ? nil : $0 }
    }

    /// Makes the values of a property such as if they had been given on top of the server's.
    private func keep(_ clash: Clash, _ value: Value?, in changes: inout [OutboxChange?]) {
        let places = Waiting.places(of: clash, in: changes.compactMap(\.self))
        guard let first = places.first, let last = places.last else { return }
        if let value { changes[last.change]?.assignments[last.assignment].after = value }
        changes[first.change]?.assignments[first.assignment].before = clash.theirs
    }

    /// Gives properties values in the last change of the row.
    private func add(_ values: [Int: Value], to changes: inout [OutboxChange?], before: [Value]?) {
        guard let last = changes.indices.last else { return }
        for (place, value) in values.sorted(by: { $0.key < $1.key }) {
            if let at = changes[last]?.assignments.firstIndex(where: { $0.property == place }) {
                changes[last]?.assignments[at].after = value
            } else {
                let before = changes.compactMap { $0?.after(place) }.last ?? before?[place] ?? .null
                changes[last]?.assignments.append(.init(property: place, before: before, after: value))
            }
        }
    }

    /// The deletion does not count: the row stays, with the values of a merge and all that the deletion took along.
    private func giveUpDeletion(_ conflict: Waiting, _ merged: [Int: Value], _ base: StoredRow?) throws {
        let deletion = heldChanges(of: conflict.identity).first { $0.operation == .delete }
        changeHeld(conflict) { putBack(&$0, merged, base) }
        if let deletion { try keepDependents(of: deletion, conflict.number, held: conflict.number) }
        try keepPrincipals(of: conflict.identity, held: conflict.number)
    }

    private func putBack(_ changes: inout [OutboxChange?], _ merged: [Int: Value], _ base: StoredRow?) {
        guard let place = changes.firstIndex(where: { $0?.operation == .delete }) else { return }
        let deletion = changes[place]
        for place in 0...place { changes[place] = nil }
        guard !merged.isEmpty, var update = deletion else { return }
        update.operation = .update
        update.row = []
        update.etag = base?.etag
        update.assignments = merged.sorted { $0.key < $1.key }.map { place, value in
            .init(property: place, before: base?.values[place] ?? .null, after: value)
        }
        changes[place] = update
    }

    // MARK: Going on

    /// Sends transactions that waited, each row met by the server's, unless another decision is still to be made.
    private func release(_ family: [Int64], _ decided: RowIdentity) throws {
        let entries = quarantine.filter { family.contains($0.id) }.sorted { $0.number < $1.number }
        guard !waiting.contains(where: { open in entries.contains { $0.number == open.number } }) else {
            if let base = try base(decided) { try show(decided, base.row) }
            return
        }
        for entry in entries { try takeOut(entry) }
        try sendAgain(entries.map(\.changes), meeting: [decided])
    }

    /// Takes a transaction out of the quarantine.
    func takeOut(_ entry: Quarantine.Entry) throws {
        quarantine.removeAll { $0.id == entry.id }
        try Quarantine.remove(entry.id, connection)
    }

    /// Lets transactions that lay in the quarantine wait behind all others.
    ///
    /// What pulls brought of their rows meanwhile meets them now, as it would have met them there.
    ///
    /// - Parameter rows: rows that meet the server's before those of the transactions do.
    func sendAgain(_ transactions: [[OutboxChange]], meeting rows: [RowIdentity] = []) throws {
        var rows = rows
        var number = try nextNumber()
        for changes in transactions where !changes.isEmpty {
            log.entries.append(
                PendingLog.Entry(number: number, changes: changes, isFrozen: false, isIncluded: false, isDirty: true)
            )
            note(changes, of: number)
            number += 1
            for change in changes where !rows.contains(change.identity) { rows.append(change.identity) }
        }
        for identity in rows {
            guard let base = try base(identity) else { continue }
            // One that left what the user may see is nowhere: the server says what becomes of its changes.
            if case .outOfSight = base { continue }
            // What has left its key for a temporary one has no name that the service knows: its deletion has met that it is
            // gone. Else the deletion goes on, in the version that was asked about.
            let temporary = try connection.temporaryKeys()
            let hasLeft = identity.key.contains { part in
                if case .integer(let key) = part { temporary.contains(key) } else { false }
            }
            guard try base.row != nil || hasLeft || connection.row(layout.sets[identity.set], identity.key) != nil
            else { continue }
            // What was asked about was not shown; where the server has no row, the one here is what counts.
            if base.row == nil { try show(identity, nil) }
            try meet(identity, base)
        }
    }
}

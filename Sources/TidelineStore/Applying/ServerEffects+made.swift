// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The rows that this device inserted on the server, or found there when it would insert them, until a pull contains the
/// insert.
///
/// A row that is inserted and deleted again between two pulls is in no delta: at the first nobody saw it, at the
/// second it is gone. Only who inserted it holds it, and would hold it for ever.
extension ServerEffects {
    /// Remembers that the transaction `number` inserted a row.
    func noteMade(_ identity: RowIdentity, number: Int64) throws {
        // What was made under an earlier identity is counted for that one: the pull after its answer contains it.
        let number = try number > connection.copiedThrough() ? number : 0
        try connection.run("INSERT OR REPLACE INTO main.tideline_made (set_name, key, number) VALUES (?, ?, ?)") {
            self.bind(identity, to: $0)
            $0.integer(number)
        }
    }

    /// Remembers a row that this device would have inserted, and that it has seen outside of all pulls.
    ///
    /// Where the next pull does not bring it, it is gone again, or was never part of the subscription. A pull of a service
    /// that does not tell what it has decided says neither.
    func noteSeen(_ identity: RowIdentity) throws {
        guard try base(identity)?.row == nil, changes(of: identity).first?.operation == .insert else { return }
        try noteMade(identity, number: 0)
    }

    /// The rows whose insert is part of what a pull read, which must have brought them if they are still there.
    ///
    /// - Parameters:
    ///   - decided: the last transaction that the pull contains.
    ///   - sets: those that it read.
    func takeMade(through decided: Int64, of sets: Set<String>) throws -> [RowIdentity] {
        let made = try allMade().filter { $0.number <= decided && sets.contains(layout.sets[$0.identity.set].name) }
        for (identity, _) in made { try forgetMade(identity) }
        return made.map(\.identity)
    }

    /// Forgets rows that a pull brought: it contains their inserts, whoever it counts for.
    ///
    /// What a copy of this file sent, or waited in it when it was copied, is of another client, and no pull of this one
    /// counts it.
    func forgetMade(in set: SetLayout, where isBrought: (RowIdentity) throws -> Bool) throws {
        for (identity, _) in try allMade() where identity.set == set.index {
            if try isBrought(identity) { try forgetMade(identity) }
        }
    }

    private func forgetMade(_ identity: RowIdentity) throws {
        try connection.run("DELETE FROM main.tideline_made WHERE set_name = ? AND key = ?") {
            self.bind(identity, to: $0)
        }
    }

    /// All rows that were inserted and not seen in a pull, each with its transaction.
    func allMade() throws -> [(identity: RowIdentity, number: Int64)] {
        let found = try connection.query("SELECT set_name, key, number FROM main.tideline_made") {
            ($0.string(0) ?? "", $0.bytes(1), $0.integer(2))
        }
        return try found.map { name, bytes, number in (try identity(name, bytes), number) }
    }

    private func identity(_ name: String, _ key: [UInt8]) throws -> RowIdentity {
        let set = try layout.set(name)
        return try unsafe key.withUnsafeBytes { raw in
            var reader = unsafe PackedReader(raw)
            return RowIdentity(set: set.index, key: try set.key.map { try set.columns[$0].value(reader.next()) })
        }
    }
}

extension Connection {
    /// Lets the next pull tell of all rows that this file's client inserted: it gets another identity, and no pull of that
    /// one counts what was answered before.
    func expectMade() throws { try run("UPDATE main.tideline_made SET number = 0") }

    /// Lets what waits keep the identity that it was made under: another file that holds it may have sent it, or will.
    ///
    /// - Parameters:
    ///   - client: who made it.
    ///   - inherited: what of it was made under still earlier identities.
    func keepWaiting(of client: GUID, _ inherited: [StoreIdentity.Inherited]) throws {
        guard let last = try PendingLog.load(self).entries.last?.number else { return }
        let all = inherited + [StoreIdentity.Inherited(clientID: client, through: last)]
        try setMeta("inherited", StoreIdentity.Inherited.text(all))
        // Their numbers belong to what the other file sends: changes that are made here come after them.
        if try PendingLog.handedOut(self) < last { try setNumber("handed_out", last) }
    }

    /// The last number of what waited in this file when it was copied, or 0: the other copy sends that too.
    func copiedThrough() throws -> Int64 {
        StoreIdentity.Inherited.read(try meta("inherited") ?? "").last?.through ?? 0
    }
}

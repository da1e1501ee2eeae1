// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The conflict log and the quarantine.
extension LocalStore {
    /// The conflict log, oldest first.
    public func conflicts() throws -> [Conflict] { try reading { try LocalStore.conflicts($0) } }

    static func conflicts(_ connection: Connection) throws -> [Conflict] {
        let rows = try connection.query(
            "SELECT id, set_name, key, kind, number, noticed, record FROM main.tideline_conflicts ORDER BY id"
        ) {
            (
                $0.integer(0), $0.string(1) ?? "", $0.bytes(2), $0.string(3) ?? "", $0.integer(4), $0.integer(5),
                $0.bytes(6)
            )
        }
        return try rows.map { id, name, key, kind, number, noticed, record in
            let set = try connection.layout.set(name)
            return Conflict(
                id: id,
                set: name,
                key: Key(try ConflictRecord.key(key, set)),
                kind: Conflict.Kind(rawValue: kind) ?? .update,
                properties: try LocalStore.properties(record, set),
                transaction: number,
                noticedAt: DateTimeOffset(seconds: noticed)
            )
        }
    }

    private static func properties(_ record: [UInt8], _ set: SetLayout) throws -> [Conflict.Property] {
        try ConflictRecord.decode(record, set).map { clash in
            Conflict.Property(
                name: set.columns[clash.property].property.names.wire,
                base: clash.base,
                mine: clash.mine,
                theirs: clash.theirs,
                mineWon: clash.mineWon,
                isJoined: clash.isJoined,
                isOpen: clash.isOpen
            )
        }
    }

    func conflict(_ id: Int64, _ connection: Connection) throws -> Conflict {
        guard let found = try LocalStore.conflicts(connection).first(where: { $0.id == id }) else {
            throw LocalStoreError(.noSuchEntry, message: "There is no conflict \(id).")
        }
        return found
    }

    /// The transactions in quarantine, oldest first.
    public func quarantined() throws -> [QuarantinedTransaction] {
        try reading { connection in
            try Quarantine.load(connection).map { entry in
                QuarantinedTransaction(
                    id: entry.id,
                    number: entry.number,
                    code: entry.code,
                    message: entry.message,
                    status: entry.status,
                    dependsOn: entry.dependsOn,
                    changes: entry.changes.map { $0.change(layout) }
                )
            }
        }
    }

    /// The entry and all that build on it, directly or by way of others, oldest first.
    private func family(_ id: Int64, _ entries: [Quarantine.Entry]) throws -> [Quarantine.Entry] {
        try bound(to: id, entries) { $0.number < $1.number && Ties(layout, $0.changes).isBase(of: $1.changes) }
    }

    /// The entry and all that are bound to it, or to one that is, oldest first.
    func bound(
        to id: Int64,
        _ entries: [Quarantine.Entry],
        by isBound: (_ member: Quarantine.Entry, _ other: Quarantine.Entry) -> Bool
    ) throws -> [Quarantine.Entry] {
        guard let first = entries.first(where: { $0.id == id }) else {
            throw LocalStoreError(.noSuchEntry, message: "There is no quarantined transaction \(id).")
        }
        var members = [first]
        var others = entries.filter { $0.id != id }
        // Members are added behind the one that is looked at, and looked at in their turn.
        var place = 0
        while place < members.count {
            let member = members[place]
            let next = others.filter { isBound(member, $0) }
            members += next
            others.removeAll { other in next.contains { $0.id == other.id } }
            place += 1
        }
        return members.sorted { $0.number < $1.number }
    }

    /// Gives a quarantined transaction up, and those that build on it: its rows go back to what the server had last.
    ///
    /// What waits for a decision is decided for the server.
    ///
    /// - Returns: the identifiers of all entries that were discarded.
    @discardableResult
    public func discard(quarantined id: Int64) throws -> [Int64] {
        try writing { connection in
            let effects = try ServerEffects(connection)
            let family = try family(id, effects.quarantine)
            let ids = Set(family.map(\.id))
            let rows = Set(family.flatMap { $0.changes.map(\.identity) })
            var servers: [RowIdentity: StoredRow?] = [:]
            for identity in rows { servers[identity] = .some(try effects.serverRow(identity)) }
            effects.quarantine.removeAll { ids.contains($0.id) }
            for conflict in effects.waiting where family.contains(where: { $0.number == conflict.number }) {
                try connection.run("DELETE FROM main.tideline_conflicts WHERE id = ?") { $0.integer(conflict.id) }
            }
            effects.waiting.removeAll { conflict in family.contains { $0.number == conflict.number } }
            for entry in family { try Quarantine.remove(entry.id, connection) }
            for (identity, server) in servers {
                if effects.changes(of: identity).isEmpty { try effects.dropBase(identity) }
                try effects.show(identity, server)
            }
            return (family.map(\.id), effects.touched)
        }
    }
}

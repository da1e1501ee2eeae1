// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The conflict log, and the way into the quarantine.
extension ServerEffects {
    typealias Clash = ThreeWayMerge.Clash

    func clashes(
        _ first: OutboxChange,
        _ all: [OutboxChange],
        _ theirs: StoredRow?,
        _ set: SetLayout,
        mineWon: Bool
    ) -> [Clash] {
        var found: [Int: Clash] = [:]
        for change in all {
            for assignment in change.assignments {
                let before = found[assignment.property]?.base ?? assignment.before
                found[assignment.property] = Clash(
                    property: assignment.property,
                    base: before,
                    mine: assignment.after,
                    theirs: theirs?.values[assignment.property] ?? .null,
                    mineWon: mineWon
                )
            }
            if change.operation == .delete, let theirs {
                for place in travelling(change.row, of: set) where change.row[place] != theirs.values[place] {
                    found[place] = Clash(
                        property: place,
                        base: change.row[place],
                        mine: .null,
                        theirs: theirs.values[place],
                        mineWon: mineWon
                    )
                }
            }
        }
        return found.values.sorted { $0.property < $1.property }
    }

    /// All of a row that lost as a whole, so that it can be put back.
    func clashes(_ mine: [Value]?, _ theirs: [Value]?, base: [Value], _ set: SetLayout, mineWon: Bool) -> [Clash] {
        set.columns.filter { !$0.property.isLocalOnly && $0.property.isWritable }.map(\.place).map { place in
            Clash(
                property: place,
                base: base[place],
                mine: mine?[place] ?? .null,
                theirs: theirs?[place] ?? .null,
                mineWon: mineWon
            )
        }
    }

    /// - Returns: the identifier of the entry.
    @discardableResult
    func logConflict(
        _ identity: RowIdentity,
        _ kind: Conflict.Kind,
        _ number: Int64,
        _ clashes: [Clash]
    ) throws -> Int64 {
        let set = layout.sets[identity.set]
        try connection.run(
            """
            INSERT INTO main.tideline_conflicts (set_name, key, kind, number, noticed, record)
            VALUES (?, ?, ?, ?, CAST(strftime('%s', 'now') AS INTEGER), ?)
            """
        ) {
            self.bind(identity, to: $0)
            $0.text(kind.rawValue)
            $0.integer(number)
            $0.blob(ConflictRecord.encode(clashes, set))
        }
        let id = try connection.integer("SELECT last_insert_rowid()")
        conflicts.append(id)
        return id
    }

    // MARK: Quarantine

    /// Takes a transaction, and those that build on it, out of what waits and into the quarantine.
    func toQuarantine(_ number: Int64, code: String, message: String, status: Int) throws {
        guard let place = log.place(number) else { return }
        let entry = log.entries[place]
        let id = try Quarantine.add(
            entry.changes,
            number: number,
            code: code,
            message: message,
            status: status,
            dependsOn: nil,
            connection
        )
        try hold(entry, id, code, message, status, nil)
        var held = Ties(layout, entry.changes)
        for later in log.entries where later.number > number && !later.isFrozen {
            guard held.isBase(of: later.changes) else { continue }
            let text =
                code == Waiting.code
                ? "The transaction builds on one that waits until a person decides."
                : "The transaction builds on one that is in the quarantine."
            let laterID = try Quarantine.add(
                later.changes,
                number: later.number,
                code: "DependsOnQuarantined",
                message: text,
                status: 0,
                dependsOn: id,
                connection
            )
            try hold(later, laterID, "DependsOnQuarantined", text, 0, id)
            held.add(later.changes)
        }
    }

    private func hold(
        _ entry: PendingLog.Entry,
        _ id: Int64,
        _ code: String,
        _ message: String,
        _ status: Int,
        _ holder: Int64?
    ) throws {
        try PendingLog.remove(entry.number, connection)
        log.entries.removeAll { $0.number == entry.number }
        log.order.remove(entry.number)
        quarantine.append(
            Quarantine.Entry(
                id: id,
                number: entry.number,
                code: code,
                message: message,
                status: status,
                dependsOn: holder,
                changes: entry.changes
            )
        )
        quarantined.append(id)
    }

    /// Gives a transaction of the quarantine a later number, for its order alone: it is never sent under it.
    func renumberHeld(_ place: Int, _ number: Int64) throws {
        let old = quarantine[place].number
        quarantine[place].number = number
        try PendingLog.retire(number, connection)
        try connection.run("UPDATE main.tideline_quarantine SET number = ? WHERE id = ?") {
            $0.integer(number)
            $0.integer(self.quarantine[place].id)
        }
        try connection.run("UPDATE main.tideline_conflicts SET number = ? WHERE number = ?") {
            $0.integer(number)
            $0.integer(old)
        }
        for place in waiting.indices where waiting[place].number == old { waiting[place].number = number }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A change that waits until a person decides: its entry of the conflict log.
///
/// Its transaction lies in the quarantine under the same number.
struct Waiting {
    /// The code of such transactions in the quarantine.
    static let code = "Conflict"

    let id: Int64
    /// The number of the transaction.
    var number: Int64
    let identity: RowIdentity
    let kind: Conflict.Kind
    let clashes: [ThreeWayMerge.Clash]

    /// What waits for a person, of the transactions of the quarantine.
    static func load(_ quarantine: [Quarantine.Entry], _ connection: Connection) throws -> [Waiting] {
        let numbers = quarantine.filter { $0.code == code }.map(\.number)
        guard !numbers.isEmpty else { return [] }
        let rows = try connection.query(
            "SELECT id, set_name, key, kind, number, record FROM main.tideline_conflicts ORDER BY id"
        ) { ($0.integer(0), $0.string(1) ?? "", $0.bytes(2), $0.string(3) ?? "", $0.integer(4), $0.bytes(5)) }
        return try rows.compactMap { id, name, key, kind, number, record in
            guard numbers.contains(number) else { return nil }
            let set = try connection.layout.set(name)
            let clashes = try ConflictRecord.decode(record, set)
            guard clashes.contains(where: \.isOpen) else { return nil }
            return Waiting(
                id: id,
                number: number,
                identity: RowIdentity(set: set.index, key: try ConflictRecord.key(key, set)),
                kind: Conflict.Kind(rawValue: kind) ?? .update,
                clashes: clashes
            )
        }
    }
}

extension ServerEffects {
    /// Takes a transaction out of what waits to be sent, until a person decided.
    func ask(
        _ identity: RowIdentity,
        _ kind: Conflict.Kind,
        _ number: Int64,
        _ clashes: [Clash],
        _ theirs: StoredRow?
    ) throws {
        var open = clashes
        for place in open.indices { open[place].isOpen = true }
        let id = try logConflict(identity, kind, number, open)
        waiting.append(Waiting(id: id, number: number, identity: identity, kind: kind, clashes: open))
        try toQuarantine(
            number,
            code: Waiting.code,
            message: "A change meets one on the server, and a person decides: see the conflict log.",
            status: 0
        )
        try setBase(identity, ServerRow(theirs))
        try show(identity, theirs)
    }

    /// The changes of a row without what waits for a person: what is shown of it.
    func shownChanges(of identity: RowIdentity) -> [OutboxChange] {
        var shown = changes(of: identity)
        for entry in waiting where entry.identity == identity {
            switch entry.kind {
            case .deletedThere: break
            case .deletedHere:
                if let place = shown.firstIndex(where: { $0.operation == .delete }) { shown.removeSubrange(...place) }
            case .update:
                for clash in entry.clashes { Waiting.remove(clash, from: &shown) }
            }
        }
        return shown
    }
}

extension Waiting {
    /// Where changes of the row give a property its waiting values: up to one that was given on top of the server's.
    static func places(
        of clash: ThreeWayMerge.Clash,
        in changes: [OutboxChange]
    ) -> [(change: Int, assignment: Int)] {
        var places: [(change: Int, assignment: Int)] = []
        for change in changes.indices {
            guard let at = changes[change].assignments.firstIndex(where: { $0.property == clash.property }) else {
                continue
            }
            // Those before it end with another value: this one was given on top of what is shown.
            if let last = places.last, changes[change].assignments[at].before == clash.theirs,
                changes[last.change].assignments[last.assignment].after != clash.theirs
            {
                break
            }
            places.append((change, at))
        }
        return places
    }

    static func remove(_ clash: ThreeWayMerge.Clash, from changes: inout [OutboxChange]) {
        for place in places(of: clash, in: changes) {
            changes[place.change].assignments.remove(at: place.assignment)
        }
    }
}

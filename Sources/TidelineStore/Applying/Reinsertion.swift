// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The changes of a row that the server deleted and this device inserts again.
///
/// The first transaction that changed the row inserts it, as that left it. What later ones changed they change in the new
/// row, each in its turn; but for references and unique values, for the row that was referred to may be gone, and the value
/// taken. The row begins with those, up to one that only a later transaction makes: that refers to a row which it inserts, or
/// takes a value from another row. Where the row it is below is gone, it begins with that, too, and with all that was
/// changed until then: each of the two transactions would wait for the other.
struct Reinsertion {
    private let identity: RowIdentity
    private let layout: StoreLayout
    /// What the row begins with.
    private(set) var row: [Value]
    /// The changes of each transaction that changes the row, the first of them inserting it.
    private(set) var transactions: [[OutboxChange]]

    private var set: SetLayout { layout.sets[identity.set] }

    /// - Parameters:
    ///   - made: the row as the first transaction left it.
    ///   - transactions: those that change the row and are sent, in their order.
    ///   - later: all that come after the first.
    ///   - isGone: whether a row that the row may refer to is not on the server any more, nor inserted again before it.
    init(
        of identity: RowIdentity,
        _ made: [Value],
        in transactions: [[OutboxChange]],
        before later: some Collection<[OutboxChange]>,
        _ layout: StoreLayout,
        isGone: (RowIdentity) throws -> Bool
    ) rethrows {
        self.identity = identity
        self.layout = layout
        self.transactions = transactions
        row = made
        try takeTied(before: later, isGone)
        forLater { $0.etag = nil }
    }

    /// Lets the row have values that were decided, whatever its transactions give it.
    mutating func decide(_ values: [Int: Value]) {
        for (place, value) in values { row[place] = value }
        forLater { change in
            change.assignments.removeAll { values[$0.property] != nil }
            if change.operation == .insert { for (place, value) in values { change.row[place] = value } }
        }
    }

    /// Puts a change in the place of those of the first transaction, behind what it refers to.
    ///
    /// - Parameter describe: makes of an update without assignments the change that leads to the row.
    mutating func begin(_ describe: (inout OutboxChange, [Value]) -> Void) {
        guard var change = transactions[0].first(where: { $0.identity == identity }) else { return }
        change.operation = .update
        change.etag = nil
        change.row = []
        change.assignments = []
        describe(&change, row)
        var changes = transactions[0].filter { $0.identity != identity } + [change]
        changes.sort { $0.turn < $1.turn }
        transactions[0] = InsertOrder.sorted(changes, layout)
    }

    private mutating func forLater(_ body: (inout OutboxChange) -> Void) {
        for (place, change) in later { body(&transactions[place][change]) }
    }

    /// Where the changes of the row after the first transaction stand.
    private var later: [(place: Int, change: Int)] {
        transactions.indices.dropFirst().flatMap { place in
            transactions[place].indices.filter { transactions[place][$0].identity == identity }.map { (place, $0) }
        }
    }

    /// What becomes of the row after a deletion is no matter of the one that is inserted.
    private mutating func takeTied(
        before others: some Collection<[OutboxChange]>,
        _ isGone: (RowIdentity) throws -> Bool
    ) rethrows {
        let updates = later.prefix { transactions[$0.place][$0.change].operation == .update }
        for (turn, (place, change)) in updates.enumerated() {
            let tied = transactions[place][change].assignments.filter { set.tied.contains($0.property) }
            guard !tied.isEmpty else { continue }
            var next = row
            for assignment in tied { next[assignment.property] = assignment.after }
            if try isMade(next, tied, by: others, isGone) {
                guard try principals(row).contains(where: isGone) else { return }
                for (place, change) in updates[...turn] { take(place, change) { _ in true } }
            } else {
                take(place, change) { tied.contains($0) }
            }
        }
    }

    private mutating func take(_ place: Int, _ change: Int, _ isTaken: (Change.Assignment) -> Bool) {
        for assignment in transactions[place][change].assignments where isTaken(assignment) {
            row[assignment.property] = assignment.after
        }
        transactions[place][change].assignments.removeAll(where: isTaken)
    }

    /// The rows that a row with these values refers to by their keys.
    private func principals(_ values: [Value]) -> [RowIdentity] {
        set.outgoing.compactMap { reference in
            guard let key = reference.keyPlaces(layout)?.map({ values[$0] }), !key.contains(.null) else { return nil }
            return RowIdentity(set: reference.parent, key: key)
        }
    }

    /// Whether the row can have values only when transactions after the first have happened.
    private func isMade(
        _ values: [Value],
        _ tied: [Change.Assignment],
        by others: some Collection<[OutboxChange]>,
        _ isGone: (RowIdentity) throws -> Bool
    ) rethrows -> Bool {
        let targets = set.outgoing.map { ($0, $0.childPlaces.map { values[$0] }) }.filter { !$1.contains(.null) }
        // What is changed there and is gone is inserted again with that change.
        let gone = try principals(values).filter(isGone)
        return others.contains { changes in
            changes.contains { change in
                if change.operation == .insert {
                    return targets.contains { reference, wanted in
                        reference.parent == change.set && reference.parentPlaces.map { change.row[$0] } == wanted
                    }
                }
                if change.operation == .update, gone.contains(change.identity) { return true }
                return change.set == set.index && change.identity != identity
                    && tied.contains { !set.bound.contains($0.property) && change.before($0.property) == $0.after }
            }
        }
    }
}

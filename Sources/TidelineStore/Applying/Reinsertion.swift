// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The changes of a row that the server deleted and this device inserts again.
///
/// The first transaction that changed the row inserts it, as that left it. What later ones changed they change in the new
/// row, each in its turn; but for references and unique values, for the row that was referred to may be gone, and the value
/// taken. The row begins with those, up to one that only a later transaction makes: that refers to a row which it inserts, or
/// takes a value from another row.
struct Reinsertion {
    private let identity: RowIdentity
    private let layout: StoreLayout
    private var set: SetLayout { layout.sets[identity.set] }
    /// What the row begins with.
    private(set) var row: [Value]
    /// The changes of each transaction, from the first that changed the row on.
    private(set) var transactions: [[OutboxChange]]

    /// - Parameter made: the row as the first of the transactions left it.
    init(of identity: RowIdentity, _ made: [Value], in transactions: [[OutboxChange]], _ layout: StoreLayout) {
        self.identity = identity
        self.layout = layout
        self.transactions = transactions
        row = made
        takeTied()
        forLater { $0.etag = nil }
    }

    /// Lets the row begin with values that were decided, whatever its transactions give them.
    mutating func decide(_ values: [Int: Value]) {
        for (place, value) in values { row[place] = value }
        forLater { change in change.assignments.removeAll { values[$0.property] != nil } }
    }

    /// Puts one change in the place of those of the first transaction, behind what it refers to.
    ///
    /// - Parameter describe: makes of an update without assignments the change that leads to the row.
    mutating func begin(_ describe: (inout OutboxChange, [Value]) -> Void) {
        guard let first = transactions[0].first(where: { $0.identity == identity }) else { return }
        var change = first
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
        for place in transactions.indices.dropFirst() {
            for change in transactions[place].indices where transactions[place][change].identity == identity {
                body(&transactions[place][change])
            }
        }
    }

    private mutating func takeTied() {
        for place in transactions.indices.dropFirst() {
            for change in transactions[place].indices where transactions[place][change].identity == identity {
                let tied = transactions[place][change].assignments.filter { set.tied.contains($0.property) }
                guard !tied.isEmpty else { continue }
                var next = row
                for assignment in tied { next[assignment.property] = assignment.after }
                guard !isMade(next, tied) else { return }
                row = next
                transactions[place][change].assignments.removeAll { tied.contains($0) }
            }
        }
    }

    /// Whether the row can have values only when transactions after the first have happened.
    private func isMade(_ values: [Value], _ tied: [Change.Assignment]) -> Bool {
        let targets = set.outgoing.map { ($0, $0.childPlaces.map { values[$0] }) }.filter { !$1.contains(.null) }
        return transactions.dropFirst().contains { changes in
            changes.contains { change in
                if change.operation == .insert {
                    return targets.contains { reference, wanted in
                        reference.parent == change.set && reference.parentPlaces.map { change.row[$0] } == wanted
                    }
                }
                return change.set == set.index && change.identity != identity
                    && tied.contains { !set.bound.contains($0.property) && change.before($0.property) == $0.after }
            }
        }
    }
}

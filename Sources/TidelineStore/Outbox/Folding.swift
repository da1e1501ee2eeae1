// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Makes the changes of one transaction fewer, with the same end.
///
/// Only writes that touch no key, no unique value and no foreign key are joined with an earlier write of their row:
/// their turn does not matter. A row that was inserted here and is gone again leaves nothing, unless another change
/// refers to it.
struct Folding {
    let layout: StoreLayout
    private(set) var changes: [OutboxChange]
    private var isGone: [Bool]

    /// - Parameter changes: in the order of their turns.
    init(_ layout: StoreLayout, _ changes: [OutboxChange]) {
        self.layout = layout
        self.changes = changes
        isGone = Array(repeating: false, count: changes.count)
    }

    mutating func fold() {
        // For each row its changes that still stand, oldest first.
        var standing: [RowIdentity: [Int]] = [:]
        for index in changes.indices {
            let identity = changes[index].identity
            var earlier = standing[identity] ?? []
            switch changes[index].operation {
            case .insert: earlier.append(index)
            case .update:
                if let last = earlier.last, changes[last].operation != .delete,
                    Folding.isFree(changes[index], layout.sets[identity.set])
                {
                    Folding.join(changes[index], into: &changes[last])
                    isGone[index] = true
                    if changes[last].operation == .update, changes[last].assignments.isEmpty {
                        isGone[last] = true
                        earlier.removeLast()
                    }
                } else {
                    earlier.append(index)
                }
            case .delete:
                if let start = earlier.lastIndex(where: { changes[$0].operation == .insert }),
                    !isReferred(identity, after: earlier[start], except: Set(earlier[start...] + [index]))
                {
                    for place in earlier[start...] { isGone[place] = true }
                    isGone[index] = true
                    earlier.removeSubrange(start...)
                } else {
                    earlier.append(index)
                }
            }
            standing[identity] = earlier
        }
        changes = zip(changes, isGone).filter { !$0.1 }.map(\.0)
        for turn in changes.indices { changes[turn].turn = turn }
        isGone = Array(repeating: false, count: changes.count)
    }

    /// Whether a standing change gives a foreign key the value of a row that is to be forgotten.
    private func isReferred(_ identity: RowIdentity, after start: Int, except own: Set<Int>) -> Bool {
        changes.indices.contains { index in
            !isGone[index] && !own.contains(index) && changes[index].principals(layout).contains(identity)
        }
    }

    /// Whether an update touches nothing whose order matters.
    static func isFree(_ change: OutboxChange, _ set: SetLayout) -> Bool {
        change.operation == .update && change.assignments.allSatisfy { !set.tied.contains($0.property) }
    }

    /// Whether an update touches neither the key nor a foreign key.
    static func isUnbound(_ change: OutboxChange, _ set: SetLayout) -> Bool {
        change.operation == .update && change.assignments.allSatisfy { !set.bound.contains($0.property) }
    }

    /// Joins a later update into an earlier insert or update of the same row.
    static func join(_ later: OutboxChange, into earlier: inout OutboxChange) {
        if earlier.operation == .insert {
            for assignment in later.assignments { earlier.row[assignment.property] = assignment.after }
            return
        }
        for assignment in later.assignments {
            if let place = earlier.assignments.firstIndex(where: { $0.property == assignment.property }) {
                earlier.assignments[place].after = assignment.after
            } else {
                earlier.assignments.append(assignment)
            }
        }
        earlier.assignments.removeAll { $0.before == $0.after }
        earlier.assignments.sort { $0.property < $1.property }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The differences of two states of a list, gathered row by row and then put into the order of a batch.
struct ListDifference {
    /// A row whose order changed: it moved unless it is where it was among the rows whose order did not change.
    struct Candidate {
        var key: Key
        var from: ListPlace
        var to: ListPlace
        /// How many steady rows stand before it in its section, before and now.
        var steadyBefore: (old: Int, new: Int)
        /// Whether the section is the same, whatever its place.
        var isSameSection: Bool
        /// Whether it looks otherwise.
        var isChanged: Bool
    }

    var deletes: [(key: Key, from: ListPlace)] = []
    var inserts: [(key: Key, to: ListPlace)] = []
    var updates: [(key: Key, from: ListPlace, to: ListPlace)] = []
    var candidates: [Candidate] = []

    /// The batch, from the sections of both states.
    mutating func batch(from old: [Value], to new: [Value]) -> ListBatch {
        let moves = takeMoves()
        var changes: [ListChange] = []
        for delete in deletes.sorted(by: { $0.from > $1.from }) {
            changes.append(.delete(delete.key, from: delete.from))
        }
        let present = Set(new)
        for (place, value) in old.enumerated().reversed() where !present.contains(value) {
            changes.append(.deleteSection(value, from: place))
        }
        let known = Set(old)
        for (place, value) in new.enumerated() where !known.contains(value) {
            changes.append(.insertSection(value, to: place))
        }
        for insert in inserts.sorted(by: { $0.to < $1.to }) { changes.append(.insert(insert.key, to: insert.to)) }
        for move in moves.sorted(by: { $0.to < $1.to }) {
            changes.append(.move(move.key, from: move.from, to: move.to))
        }
        for update in updates.sorted(by: { $0.to < $1.to }) {
            changes.append(.update(update.key, from: update.from, to: update.to))
        }
        return ListBatch(changes: changes)
    }

    /// The rows that moved; those that stayed after all are updates where they look otherwise.
    ///
    /// Rows between the same two steady rows stay as many as can: those of a longest rising part of their old places.
    private mutating func takeMoves() -> [Candidate] {
        var moves: [Candidate] = []
        var groups: [ListPlace: [Candidate]] = [:]
        for candidate in candidates {
            if candidate.isSameSection, candidate.steadyBefore.old == candidate.steadyBefore.new {
                let gap = ListPlace(section: candidate.to.section, row: candidate.steadyBefore.new)
                groups[gap, default: []].append(candidate)
            } else {
                moves.append(candidate)
            }
        }
        for group in groups.values {
            let sorted = group.sorted { $0.to < $1.to }
            let staying = Set(ListDifference.longestRising(sorted.map(\.from.row)))
            for candidate in sorted {
                if !staying.contains(candidate.from.row) {
                    moves.append(candidate)
                } else if candidate.isChanged {
                    updates.append((candidate.key, candidate.from, candidate.to))
                }
            }
        }
        return moves
    }

    /// The longest rising part of distinct numbers, by patience sorting.
    static func longestRising(_ numbers: [Int]) -> [Int] {
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var result: [Int] = []
        var place = tails.last ?? -1
        while place >= 0 {
            result.append(numbers[place])
            place = previous[place]
        }
        return result
    }
}

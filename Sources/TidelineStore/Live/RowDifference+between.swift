// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension RowDifference {
    /// The differences between two results: deletions from the end, then insertions, moves and updates in the new order.
    ///
    /// A row moved when it left the order that the rows that stayed have among themselves; the fewest rows are told to
    /// have moved.
    static func between(
        _ old: [(key: Key, print: [UInt8])],
        _ new: [(key: Key, print: [UInt8])]
    ) -> [RowDifference] {
        var places: [Key: Int] = [:]
        for (index, row) in old.enumerated() { places[row.key] = index }
        let present = Set(new.map(\.key))
        var differences: [RowDifference] = []
        for index in old.indices.reversed() where !present.contains(old[index].key) {
            differences.append(.delete(key: old[index].key, index: index))
        }
        let kept = new.compactMap { places[$0.key] }
        let steady = Set(longestIncreasing(kept))
        for (index, row) in new.enumerated() {
            guard let before = places[row.key] else {
                differences.append(.insert(key: row.key, index: index))
                continue
            }
            if !steady.contains(before) {
                differences.append(.move(key: row.key, from: before, to: index))
            } else if old[before].print != row.print {
                differences.append(.update(key: row.key, index: index))
            }
        }
        return differences
    }

    /// The longest increasing part of distinct numbers, by patience sorting.
    private static func longestIncreasing(_ numbers: [Int]) -> [Int] {
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

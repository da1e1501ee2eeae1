// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// The order of a plan's rows: by the values of its keys, nulls before all values, not-a-number after all.
package struct RowOrder {
    package let isDescending: [Bool]
    /// The collation of each key, `nil` for the order of bytes; empty for none at all.
    package var collations: [TextCollation?]

    package init(isDescending: [Bool], collations: [TextCollation?] = []) {
        self.isDescending = isDescending
        self.collations = collations
    }

    /// Negative when the left row comes first.
    package func compare(_ left: [Value], _ right: [Value]) -> Int {
        for place in isDescending.indices {
            let order = compare(left[place], right[place], place)
            if order != 0 { return isDescending[place] ? -order : order }
        }
        return 0
    }

    private func compare(_ left: Value, _ right: Value, _ place: Int) -> Int {
        if place < collations.count, let collation = collations[place], case .string(let first) = left,
            case .string(let second) = right
        {
            return collation.compare(first, second)
        }
        return Self.compare(left, right)
    }

    private static func compare(_ left: Value, _ right: Value) -> Int {
        if let order = Value.compare(left, right) { return order }
        return (isNaN(left) ? 1 : 0) - (isNaN(right) ? 1 : 0)
    }

    private static func isNaN(_ value: Value) -> Bool {
        guard case .double(let number) = value else { return false }
        return number.isNaN
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The order of a plan's rows: by the values of its keys, nulls before all values, not-a-number after all.
struct RowOrder {
    let isDescending: [Bool]

    /// Negative when the left row comes first.
    func compare(_ left: [Value], _ right: [Value]) -> Int {
        for place in isDescending.indices {
            let order = Self.compare(left[place], right[place])
            if order != 0 { return isDescending[place] ? -order : order }
        }
        return 0
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

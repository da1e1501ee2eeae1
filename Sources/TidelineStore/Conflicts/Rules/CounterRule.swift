// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Both additions count.
///
///     base 10   mine 15 (+5)   theirs 12 (+2)   ->   17
enum CounterRule {
    /// The sum theirs + (mine - base), or `nil` for what is no number, was set to null, or leaves the range.
    static func join(_ base: Value, _ mine: Value, _ theirs: Value) -> Value? {
        switch (base.isNull ? zero(like: theirs) : base, mine, theirs) {
        case (.integer(let base), .integer(let mine), .integer(let theirs)):
            // In 128 bits, so that no order of the additions leaves the range on the way.
            let sum = Int128(theirs) + Int128(mine) - Int128(base)
            return Int64(exactly: sum).map(Value.integer)
        case (.decimal(let base), .decimal(let mine), .decimal(let theirs)):
            guard let step = mine - base, let sum = theirs + step else { return nil }
            return .decimal(sum)
        case (.double(let base), .double(let mine), .double(let theirs)):
            let sum = theirs + (mine - base)
            return sum.isFinite ? .double(sum) : nil
        default: return nil
        }
    }

    private static func zero(like value: Value) -> Value {
        switch value {
        case .integer: .integer(0)
        case .decimal: .decimal(EdmDecimal(coefficient: 0, scale: 0))
        case .double: .double(0)
        default: .null
        }
    }
}

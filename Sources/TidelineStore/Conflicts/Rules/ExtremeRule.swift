// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The lesser or the greater of two values.
///
/// Null, which has no place among the values, gives way to any, and not-a-number to any number.
enum ExtremeRule {
    static func lesser(_ mine: Value, _ theirs: Value) -> Value? {
        chosen(mine, theirs) { $0 < 0 }
    }

    static func greater(_ mine: Value, _ theirs: Value) -> Value? {
        chosen(mine, theirs) { $0 > 0 }
    }

    /// - Parameter isMine: whether an order of the two makes it the first.
    private static func chosen(_ mine: Value, _ theirs: Value, isMine: (Int) -> Bool) -> Value? {
        if mine.isNull || isNotANumber(mine) && !theirs.isNull { return theirs }
        if theirs.isNull || isNotANumber(theirs) { return mine }
        return Value.compare(mine, theirs).map { isMine($0) ? mine : theirs }
    }

    private static func isNotANumber(_ value: Value) -> Bool {
        if case .double(let number) = value { number.isNaN } else { false }
    }
}

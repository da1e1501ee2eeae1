// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension Value {
    /// Compares two values of one family: negative, zero or positive; `nil` for different families or not-a-number.
    ///
    /// Text and binary compare by bytes, decimals by number. Null compares with null as equal, else as less: the order
    /// of `$orderby`. (In a filter nothing is less than null, see ``ExpressionEvaluator``.)
    public static func compare(_ left: Value, _ right: Value) -> Int? {
        switch (left, right) {
        case (.null, .null): 0
        case (.null, _): -1
        case (_, .null): 1
        case (.boolean(let left), .boolean(let right)): left == right ? 0 : left ? 1 : -1
        case (.integer(let left), .integer(let right)): order(left, right)
        case (.double(let left), .double(let right)): left.isNaN || right.isNaN ? nil : order(left, right)
        case (.decimal(let left), .decimal(let right)): EdmDecimal.compare(left, right)
        case (.string(let left), .string(let right)): compareBytes(left.utf8, right.utf8)
        case (.binary(let left), .binary(let right)): compareBytes(left, right)
        case (.guid(let left), .guid(let right)): order(left, right)
        case (.date(let left), .date(let right)): order(left, right)
        case (.timeOfDay(let left), .timeOfDay(let right)): order(left, right)
        case (.dateTimeOffset(let left), .dateTimeOffset(let right)): order(left, right)
        case (.duration(let left), .duration(let right)): order(left, right)
        default: nil
        }
    }

    private static func order<Item: Comparable>(_ left: Item, _ right: Item) -> Int {
        left == right ? 0 : left < right ? -1 : 1
    }

    /// By unsigned bytes, a prefix first: Swift's own order of strings is that of their normalised scalars.
    private static func compareBytes(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
        var second = right.makeIterator()
        for byte in left {
            guard let other = second.next() else { return 1 }
            if byte != other { return byte < other ? -1 : 1 }
        }
        return second.next() == nil ? 0 : -1
    }
}

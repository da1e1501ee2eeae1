// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Makes expressions by chance, the same for the same seed.
struct RandomExpression {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A whole number below `limit`: SplitMix64.
    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }

    mutating func name() -> String { ["A", "B", "Total", "Name", "not_a_word", "Üb", "nullable", "inner"][below(8)] }

    mutating func names() -> [String] { (0...below(3)).map { _ in name() } }

    mutating func literal() -> Expression {
        switch below(12) {
        case 0: .literal(.null)
        case 1: .literal(.boolean(below(2) == 0))
        case 2: .literal(.integer(Int64(below(2000) - 1000)))
        case 3: .literal(.decimal(EdmDecimal(coefficient: Int128(below(100_000) - 50_000), scale: 2)))
        case 4: .literal(.double(Double(below(1000) - 500) / 8))
        case 5: .literal(.string(["", "O'Neil", "a,b)", "é%26", "\"x\"", "1 eq 1", "'\u{301} or 1 eq 1"][below(7)]))
        case 6: .literal(.date(CalendarDate(daysSinceEpoch: Int32(below(40_000) - 20_000))))
        case 7: .literal(.timeOfDay(TimeOfDay(nanoseconds: Int64(below(86_400)) * 1_000_000_000)))
        case 8: .literal(.dateTimeOffset(DateTimeOffset(seconds: Int64(below(4_000_000_000) - 2_000_000_000))))
        case 9: .literal(.duration(.seconds(below(1_000_000) - 500_000)))
        case 10: .enumeration(type: "N.Color", members: ["Red", "Red,Blue", "3"][below(3)])
        default:
            .literal(
                .geography(
                    Geography(.lineString([.init(Double(below(180)), 1.5), .init(2, 3)]), isFlat: below(2) == 0)
                )
            )
        }
    }

    mutating func next(_ depth: Int) -> Expression {
        guard depth > 0 else { return below(2) == 0 ? literal() : .path(names()) }
        let next = depth - 1
        switch below(16) {
        case 0: return .unary(.not, self.next(next))
        case 1: return .unary(.negate, .path(names()))
        case 2: return .call(.substring, [self.next(next), self.next(next)])
        case 3: return .call(.geoDistance, [self.next(next), self.next(next)])
        case 4: return .isIn(self.next(next), (0..<below(3)).map { _ in literal() })
        case 5: return .isInCollection(.path(names()), .path(names()))
        case 6: return .lambda(.any, over: names(), variable: "v", self.next(next))
        case 7: return .count(of: names(), filter: self.next(next), search: below(2) == 0 ? nil : search(2))
        case 8: return below(2) == 0 ? .cast(self.next(next), type: "Edm.String") : .isOf(nil, type: "Collection(N.T)")
        case 9:
            return .conditional((0...below(2)).map { _ in .init(condition: self.next(next), value: self.next(next)) })
        case 10: return .list((0..<below(3)).map { _ in self.next(next) })
        case 11: return .object((0..<below(3)).map { .init(name: "m\"\($0)", value: self.next(next)) })
        case 12: return .general([.root, .name("Set"), .key([.init(name: nil, value: literal())]), .name(name())])
        case 13:
            return .general([.name(name()), .filter(self.next(next)), .lambda(.all, variable: "w", self.next(next))])
        default:
            let operation = Expression.BinaryOperator.allCases[below(Expression.BinaryOperator.allCases.count)]
            return .binary(operation, self.next(next), self.next(next))
        }
    }

    mutating func search(_ depth: Int) -> SearchExpression {
        guard depth > 0 else { return below(2) == 0 ? .word(["a", "NOT", "x;y", "9,81"][below(4)]) : .phrase("p q") }
        switch below(3) {
        case 0: return .not(search(depth - 1))
        case 1: return .and(search(depth - 1), search(depth - 1))
        default: return .or(search(depth - 1), search(depth - 1))
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// Random numbers that a seed and a name decide: what one thing draws does not change what another one draws.
package struct Chance: Sendable {
    private var generator: SeededGenerator

    /// - Parameters:
    ///   - seed: that of the run.
    ///   - name: what the numbers are for.
    ///   - place: which one of these.
    package init(_ seed: UInt64, _ name: String, _ place: Int = 0) {
        // FNV-1a, which is the same in every process where Hasher is not.
        var mixed = Digest()
        mixed.add(name)
        var first = SeededGenerator(seed: seed ^ mixed.value)
        generator = SeededGenerator(seed: first.next() ^ UInt64(bitPattern: Int64(place)) &* 0x9e37_79b9_7f4a_7c15)
        _ = generator.next()
    }

    package mutating func next() -> UInt64 { generator.next() }

    /// A number from 0 to one less than the limit.
    package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

    /// A number of a range.
    package mutating func number(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    /// A number of a range, between 10 and 20 as often as between 80 and 160.
    package mutating func magnitude(_ range: ClosedRange<Int>) -> Int {
        var low = range.lowerBound
        var doublings = 0
        while low << (doublings + 1) <= range.upperBound { doublings += 1 }
        low <<= number(0...max(doublings - 1, 0))
        return number(low...min(range.upperBound, max(low * 2 - 1, low)))
    }

    /// True once in so many times.
    package mutating func once(in times: Int) -> Bool { below(times) == 0 }

    /// True in so many of a thousand cases.
    package mutating func perMille(_ cases: Int) -> Bool { below(1000) < cases }

    package mutating func element<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// A number from 0 to 1.
    package mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

    /// A time between two; short ones are as likely as long ones on a scale of powers.
    package mutating func duration(_ least: Duration, _ most: Duration) -> Duration {
        let low = Chance.microseconds(least) + 1
        let high = Chance.microseconds(most) + 1
        var value = low
        // No logarithms: they need not be the same on every machine.
        while value < high, below(12) > 0 { value = value &* 2 }
        let top = min(value, high)
        return .microseconds(low + Int64(below(Int(max(top - low, 1)))) - 1)
    }

    private static func microseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
    }
}

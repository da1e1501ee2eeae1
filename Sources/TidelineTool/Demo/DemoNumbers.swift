// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Numbers that look like chance and are the same on every machine: SplitMix64.
struct DemoNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func word() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// A number from 0 to `count` - 1.
    mutating func below(_ count: Int) -> Int { Int(word() % UInt64(count)) }

    /// A GUID in the form of version 4.
    mutating func guid() -> String {
        let high = word() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = word() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func digits(_ word: UInt64) -> [Character] {
            let text = String(word, radix: 16)
            return Array(String(repeating: "0", count: 16 - text.count) + text)
        }
        let all = digits(high) + digits(low)
        let parts = [all[0..<8], all[8..<12], all[12..<16], all[16..<20], all[20..<32]]
        return parts.map { String($0) }.joined(separator: "-")
    }
}

/// Text for SQL scripts.
enum DemoSQL {
    static func text(_ text: String) -> String { text.quoted(by: "'") }

    /// A day as ISO 8601, counted in days after 2026-01-01; the year has no end before its last day.
    static func date(day: Int) -> String {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var rest = day % 365
        var month = 0
        while rest >= lengths[month] {
            rest -= lengths[month]
            month += 1
        }
        return "2026-\(two(month + 1))-\(two(rest + 1))"
    }

    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Ten-thousandths as a decimal number: 199000 is 19.9.
    static func money(_ tenThousandths: Int) -> String {
        let fraction = String(tenThousandths % 10_000)
        return "\(tenThousandths / 10_000)." + String(repeating: "0", count: 4 - fraction.count) + fraction
    }
}

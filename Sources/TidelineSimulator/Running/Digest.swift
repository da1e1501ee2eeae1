// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A number that stands for a sequence of texts: different ones have different numbers, nearly always.
///
/// Source: Fowler, Noll, Vo: FNV-1a of 64 bits.
package struct Digest: Hashable, Sendable {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        // The end, so that "a" and "b" are not "ab".
        add(0xff)
    }

    private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

    /// 16 hexadecimal digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Single base64url digits, for ETags and for writers that append straight to their bytes.
///
/// Source: RFC 4648, section 5.
enum Base64Digits {
    /// A literal is in the program itself: no array is made, kept or counted.
    @inline(__always)
    private static var digits: StaticString { "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" }
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for value: UInt64 in 0..<64 { values[Int(digit(value))] = UInt8(value) }
        return values
    }()

    /// The digit of the six lowest bits.
    @inline(__always)
    static func digit(_ bits: UInt64) -> UInt8 { unsafe digits.utf8Start[Int(truncatingIfNeeded: bits & 0x3F)] }

    /// The six bits of a digit, or `nil`.
    static func value(_ digit: UInt8) -> UInt8? {
        let value = values[Int(digit)]
        return value == 0xFF ? nil : value
    }
}

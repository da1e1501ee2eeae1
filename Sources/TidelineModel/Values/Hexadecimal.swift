// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Bytes as pairs of hexadecimal digits, in lower case.
///
/// Source: RFC 4648, section 8.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The digits of some bytes, two for each.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var utf8: [UInt8] = []
        utf8.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            utf8.append(digits[Int(byte >> 4)])
            utf8.append(digits[Int(byte & 15)])
        }
        return String(decoding: utf8, as: UTF8.self)
    }
}

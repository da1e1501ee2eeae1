// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

/// RFC 8259, sections 6 and 7.
struct JSONTextTests {
    @Test(
        arguments: [
            (0.5, "0.5"), (0.25, "0.25"), (0.125, "0.125"), (-0.5, "-0.5"), (0.1, "0.1"), (99.95, "99.95"),
            (0.001, "0.001"), (-12.34, "-12.34"), (7.05, "7.05"), (7.005, "7.005"), (123_456_789.123, "123456789.123"),
            (999_999_999_999.999, "999999999999.999"), (0.0005, "0.0005"), (1.0005, "1.0005"), (-0.0, "-0.0"),
            (1e-7, "1e-07"), (0.1 + 0.2, "0.30000000000000004"), (1_000_000_000_000.5, "1000000000000.5"),
        ] as [(Double, String)]
    )
    func `a number has the fewest digits that read back`(value: Double, text: String) {
        let writer = ByteWriter()
        writer.append(double: value)
        #expect(writer.text == text)
    }

    @Test func `numbers of three decimal places are written as Swift writes them`() {
        for thousandths in stride(from: -20_011, through: 20_011, by: 1) where thousandths % 1000 != 0 {
            let value = Double(thousandths) / 1000
            let writer = ByteWriter()
            writer.append(double: value)
            #expect(writer.text == value.description)
        }
    }

    @Test func `integers of every length`() {
        var values: [Int64] = [0, .min, .max]
        var bound: Int64 = 1
        for _ in 0..<19 {
            values += [bound, bound - 1, -bound]
            bound = bound &* 10
        }
        for value in values {
            let writer = ByteWriter()
            writer.append(integer: value)
            #expect(writer.text == String(value))
        }
    }

    /// Strings go over eight bytes at a time, so what is escaped stands at each place of a word, and of a rest.
    @Test(
        arguments: [
            ("\"", "\\\""), ("\\", "\\\\"), ("\u{0}", "\\u0000"), ("\u{1f}", "\\u001f"), ("\n", "\\n"), ("\t", "\\t"),
            (" ", " "), ("!", "!"), ("#", "#"), ("[", "["), ("]", "]"), ("\u{7f}", "\u{7f}"), ("é", "é"), ("😀", "😀"),
        ]
    )
    func `a character is escaped wherever it stands`(character: String, escaped: String) {
        for before in 0..<18 {
            for after in [0, 1, 7, 8, 9] {
                let (head, tail) = (String(repeating: "a", count: before), String(repeating: "z", count: after))
                #expect(JSONText.quoted(head + character + tail) == "\"\(head)\(escaped)\(tail)\"")
            }
        }
    }

    /// 22 digits of six bits: `_` is 63, the last one holds two bits and four zeros.
    @Test(
        arguments: [
            (.max, .max, "_____________________w"), (0, 0, "AAAAAAAAAAAAAAAAAAAAAA"),
            (1 << 63, 0, "gAAAAAAAAAAAAAAAAAAAAA"), (0, 1, "AAAAAAAAAAAAAAAAAAAAAQ"),
            (1, 0, "AAAAAAAAAAEAAAAAAAAAAA"), (0, 1 << 63, "AAAAAAAAAACAAAAAAAAAAA"),
            (0, 1 << 62, "AAAAAAAAAABAAAAAAAAAAA"), (0, 1 << 61, "AAAAAAAAAAAgAAAAAAAAAA"),
        ] as [(UInt64, UInt64, String)]
    )
    func `an ETag is its bits in base64url`(high: UInt64, low: UInt64, digits: String) {
        #expect(ETag(high: high, low: low).opaque == digits)
    }
}

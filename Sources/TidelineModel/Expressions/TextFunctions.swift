// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The functions of text in expressions, by Unicode scalars and UTF-8 bytes; compiled SQL calls the same code.
///
/// Swift's own comparisons are not used: they take é for e with an accent, which no database does.
package enum TextFunctions {
    /// The number of Unicode scalars.
    package static func length(_ text: String) -> Int { text.unicodeScalars.count }

    /// Every scalar mapped by itself, with no regard to its neighbours or to a language.
    package static func lower(_ text: String) -> String {
        map(text, isUnchanged: { $0 < 0x80 && !($0 >= 0x41 && $0 <= 0x5A) }, ascii: { $0 + 0x20 }) {
            $0.properties.lowercaseMapping
        }
    }

    /// Every scalar mapped by itself, with no regard to its neighbours or to a language.
    package static func upper(_ text: String) -> String {
        map(text, isUnchanged: { $0 < 0x80 && !($0 >= 0x61 && $0 <= 0x7A) }, ascii: { $0 - 0x20 }) {
            $0.properties.uppercaseMapping
        }
    }

    private static func map(
        _ text: String,
        isUnchanged: (UInt8) -> Bool,
        ascii: (UInt8) -> UInt8,
        other: (Unicode.Scalar) -> String
    ) -> String {
        let utf8 = text.utf8
        if utf8.allSatisfy(isUnchanged) { return text }
        if utf8.allSatisfy({ $0 < 0x80 }) {
            return String(decoding: utf8.map { isUnchanged($0) ? $0 : ascii($0) }, as: UTF8.self)
        }
        var result = ""
        for scalar in text.unicodeScalars { result += other(scalar) }
        return result
    }

    /// Without the white space of Unicode at both ends.
    package static func trim(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }

    /// The scalars from a zero-based place on, at most `count`; a negative place counts from the end, a negative count
    /// is 0.
    package static func substring(_ text: String, from start: Int64, count: Int64?) -> String {
        let scalars = text.unicodeScalars
        let first = start < 0 ? max(0, Int64(scalars.count) + start) : start
        let rest = scalars.dropFirst(Int(clamping: first))
        guard let count else { return String(rest) }
        return String(rest.prefix(Int(clamping: max(0, count))))
    }

    /// The zero-based place of the first occurrence in scalars, or -1; 0 for empty text.
    package static func index(of part: String, in text: String) -> Int {
        var (text, part) = (text, part)
        return text.withUTF8 { text in
            part.withUTF8 { part in unsafe index(of: part.span, in: text.span) }
        }
    }

    private static func index(of part: Span<UInt8>, in text: Span<UInt8>) -> Int {
        guard part.count <= text.count else { return -1 }
        var scalars = 0
        for start in 0...(text.count - part.count) {
            var place = 0
            while place < part.count, text[start + place] == part[place] { place += 1 }
            if place == part.count { return scalars }
            // A scalar ends where the next byte continues none.
            if start + 1 < text.count, text[start + 1] & 0xC0 != 0x80 { scalars += 1 }
        }
        return -1
    }

    /// Whether the text begins with these bytes.
    package static func starts(_ text: String, with part: String) -> Bool {
        text.utf8.starts(with: part.utf8)
    }

    /// Whether the text ends with these bytes.
    package static func ends(_ text: String, with part: String) -> Bool {
        text.utf8.reversed().starts(with: part.utf8.reversed())
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The text of `Edm.Double` and `Edm.Single`: the shortest digits that read back as the same number.
///
///     1  1.5  -0.001  1e+21  INF  -INF  NaN
///
/// Source: OData ABNF construction rules, `doubleValue`.
public enum DoubleText {
    /// Appends the text of a number; a whole number below 10¹⁵ has no point.
    public static func append(_ value: Double, to bytes: inout [UInt8]) {
        guard value.isFinite else {
            bytes.append(contentsOf: (value.isNaN ? "NaN" : value < 0 ? "-INF" : "INF").utf8)
            return
        }
        if value.magnitude < 1e15, value == value.rounded(.towardZero), !(value == 0 && value.sign == .minus) {
            ASCII.append(Int64(value), to: &bytes)
            return
        }
        bytes.append(contentsOf: value.description.utf8)
    }

    /// The text of a number.
    public static func text(_ value: Double) -> String {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a number; `nil` when the text has another form.
    ///
    /// Numbers too large read as infinite are refused.
    public static func parse(_ utf8: Span<UInt8>) -> Double? {
        switch utf8.count {
        case 3 where matches(utf8, "NaN"): return .nan
        case 3 where matches(utf8, "INF"): return .infinity
        case 4 where matches(utf8, "-INF"): return -.infinity
        default: break
        }
        guard isNumber(utf8) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for place in 0..<utf8.count { bytes.append(utf8[place]) }
        guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// Reads a number; `nil` when the text has another form.
    public static func parse(_ text: String) -> Double? {
        var copy = text
        return copy.withUTF8 { buffer in unsafe parse(buffer.span) }
    }

    private static func matches(_ utf8: Span<UInt8>, _ word: StaticString) -> Bool {
        for place in 0..<utf8.count where unsafe utf8[place] != word.utf8Start[place] { return false }
        return true
    }

    /// `[sign] digits [. digits] [e [sign] digits]`: the grammar decides, not the library, which takes `0x1p3` too.
    private static func isNumber(_ utf8: Span<UInt8>) -> Bool {
        var position = 0
        func digits(_ position: inout Int) -> Bool {
            let start = position
            while position < utf8.count, ASCII.digit(utf8[position]) != nil { position += 1 }
            return position > start
        }
        func sign(_ position: inout Int) {
            if !ASCII.skip(ASCII.minus, in: utf8, at: &position) {
                _ = ASCII.skip(ASCII.plus, in: utf8, at: &position)
            }
        }
        sign(&position)
        guard digits(&position) else { return false }
        if ASCII.skip(ASCII.point, in: utf8, at: &position), !digits(&position) { return false }
        if ASCII.skipLetter(UInt8(ascii: "E"), in: utf8, at: &position) {
            sign(&position)
            guard digits(&position) else { return false }
        }
        return position == utf8.count
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension TextScanner {
    /// A literal if one begins here; otherwise nothing is read.
    ///
    /// The form says the type: `42` integer, `1.5` decimal, `1e3` double, `2026-01-01` date, `08:30` time of day,
    /// 36 characters with dashes a GUID. What it meets may give it another type later.
    /// Source: OData ABNF construction rules, `primitiveLiteral`.
    mutating func literal() throws(ODataError) -> Value? {
        guard let first = next else { return nil }
        if first == UInt8(ascii: "'") { return .string(try singleQuoted()) }
        if let guid = guid() { return guid }
        if beginsNumber(after: 0)
            || (first == UInt8(ascii: "-") || first == UInt8(ascii: "+")) && beginsNumber(after: 1)
        {
            return try number()
        }
        return try namedLiteral()
    }

    /// The place of an item, from the end where negative: digits alone; otherwise nothing is read.
    mutating func ordinal() -> Int64? {
        var end = next == UInt8(ascii: "-") ? offset + 1 : offset
        let first = end
        while end < bytes.count, bytes[end] >= 0x30, bytes[end] <= 0x39 { end += 1 }
        guard end > first, !continuesWord(at: end),
            let number = Int64(String(decoding: bytes[offset..<end], as: UTF8.self))
        else { return nil }
        offset = end
        return number
    }

    /// Whether a digit, `INF` or nothing of a number stands there.
    func beginsNumber(after distance: Int) -> Bool {
        guard let byte = byte(distance) else { return false }
        if byte >= 0x30 && byte <= 0x39 { return true }
        return distance == 1 && bytes[(offset + 1)...].starts(with: "INF".utf8) && !continuesWord(at: offset + 4)
    }

    private func continuesWord(at place: Int) -> Bool {
        place < bytes.count && Self.identifierCharacter(bytes, at: place, isFirst: false) != nil
    }

    private mutating func guid() -> Value? {
        guard offset + 36 <= bytes.count, bytes[offset + 8] == UInt8(ascii: "-"), !continuesWord(at: offset + 36) else {
            return nil
        }
        let text = bytes[offset..<offset + 36]
        guard let value = Value(text: String(decoding: text, as: UTF8.self), as: .guid) else { return nil }
        offset += 36
        return value
    }

    private mutating func number() throws(ODataError) -> Value {
        let start = offset
        var end = offset + 1
        var hasColon = false
        var hasInnerDash = false
        var isPlain = true
        var hasExponent = false
        while end < bytes.count {
            let byte = bytes[end]
            switch byte {
            case 0x30...0x39: break
            case UInt8(ascii: ":"): hasColon = hasColon || isClock(at: end)
            case UInt8(ascii: "."): isPlain = false
            case UInt8(ascii: "-") where !hasExponent: hasInnerDash = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): hasExponent = true
            case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"): break
            default: break
            }
            guard Self.isLiteralByte(byte), byte != UInt8(ascii: ":") || isClock(at: end) else { break }
            end += 1
        }
        if let value = digits(upTo: end) {
            offset = end
            return .integer(value)
        }
        let literal = String(decoding: bytes[start..<end], as: UTF8.self)
        let types: [PrimitiveType]
        if hasInnerDash {
            types = hasColon ? [.dateTimeOffset] : [.date]
        } else if hasColon {
            types = [.timeOfDay]
        } else if hasExponent || literal.hasSuffix("INF") {
            types = [.double]
        } else {
            // An integer of more than 64 bits is a decimal.
            types = isPlain ? [.int64, .decimal] : [.decimal]
        }
        for type in types {
            guard let value = Value(text: String(literal), as: type) else { continue }
            offset = end
            return value
        }
        throw error("\(literal.prefix(60)) is no value.")
    }

    /// The number whose digits stand from here to `end`; `nil` for anything else, and for more than 18 of them.
    private func digits(upTo end: Int) -> Int64? {
        guard end - offset <= 18 else { return nil }
        var value: Int64 = 0
        for place in offset..<end {
            guard Self.isDigit(bytes[place]) else { return nil }
            value = 10 * value + Int64(bytes[place] - 0x30)
        }
        return value
    }

    /// Whether a colon stands between two digits and two digits, and so is none of `case(X gt 0:1)`.
    private func isClock(at colon: Int) -> Bool {
        guard colon >= 2, colon + 2 < bytes.count else { return false }
        let isThird = colon > 2 && Self.isDigit(bytes[colon - 3])
        return Self.isDigit(bytes[colon - 2]) && Self.isDigit(bytes[colon - 1]) && Self.isDigit(bytes[colon + 1])
            && Self.isDigit(bytes[colon + 2]) && !isThird
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func isLiteralByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E, 0x3A: true
        default: false
        }
    }

    /// `null`, `true`, `false`, `INF`, `NaN`, `duration'…'`, `binary'…'`, `geography'…'`.
    private mutating func namedLiteral() throws(ODataError) -> Value? {
        guard let end = wordEnd() else { return nil }
        let following = end < bytes.count ? bytes[end] : 0
        if following == UInt8(ascii: "'") { return try prefixedLiteral() }
        switch following {
        case UInt8(ascii: "/"), UInt8(ascii: "("), UInt8(ascii: "="), UInt8(ascii: "."): return nil
        default: break
        }
        guard let value = value(ofWordUpTo: end) else { return nil }
        offset = end
        return value
    }

    /// What a word of at most five letters stands for; Booleans in any letter case.
    private func value(ofWordUpTo end: Int) -> Value? {
        guard end - offset <= 5 else { return nil }
        var (word, lower): (UInt64, UInt64) = (0, 0)
        for place in offset..<end {
            word = word << 8 | UInt64(bytes[place])
            lower = lower << 8 | UInt64(bytes[place] | 0x20)
        }
        switch word {
        case Self.packed("INF"): return .double(.infinity)
        case Self.packed("NaN"): return .double(.nan)
        case Self.packed("null"): return .null
        default: break
        }
        switch lower {
        case Self.packed("true"): return .boolean(true)
        case Self.packed("false"): return .boolean(false)
        default: return nil
        }
    }

    private mutating func prefixedLiteral() throws(ODataError) -> Value? {
        let start = offset
        guard let name = word()?.lowercased() else { return nil }
        let type: PrimitiveType
        switch name {
        case "duration": type = .duration
        case "binary": type = .binary
        case "geography", "geometry": return try geography(isFlat: name == "geometry", at: start)
        default: throw error("There are no literals of the type \(name).", at: start)
        }
        guard let value = Value(text: try singleQuoted(), as: type) else {
            throw error("This is no \(type.rawValue).", at: start)
        }
        return value
    }

    /// `'SRID=4326;Point(8.5 47.3)'` after its prefix.
    private mutating func geography(isFlat: Bool, at start: Int) throws(ODataError) -> Value {
        let text = try singleQuoted()
        guard text.prefix(5).uppercased() == "SRID=", var value = Geography(text) else {
            throw error("This is no \(isFlat ? "geometry" : "geography").", at: start)
        }
        value.isFlat = isFlat
        return .geography(value)
    }
}

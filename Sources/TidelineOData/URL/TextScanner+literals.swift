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
            case UInt8(ascii: ":"): hasColon = true
            case UInt8(ascii: "."): isPlain = false
            case UInt8(ascii: "-") where !hasExponent: hasInnerDash = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): hasExponent = true
            case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"): break
            default: break
            }
            guard Self.isLiteralByte(byte) else { break }
            end += 1
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

    private static func isLiteralByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E, 0x3A: true
        default: false
        }
    }

    /// `null`, `true`, `false`, `INF`, `NaN`, `duration'…'`, `binary'…'`.
    private mutating func namedLiteral() throws(ODataError) -> Value? {
        let start = offset
        guard let name = word() else { return nil }
        switch (name, next) {
        case (_, UInt8(ascii: "'")):
            let type: PrimitiveType
            switch name.lowercased() {
            case "duration": type = .duration
            case "binary": type = .binary
            default: throw notSupported("Literals of the type \(name) are not supported.")
            }
            guard let value = Value(text: try singleQuoted(), as: type) else {
                throw error("This is no \(type.rawValue).", at: start)
            }
            return value
        case (_, UInt8(ascii: "/")), (_, UInt8(ascii: "(")), (_, UInt8(ascii: "=")): break
        case (_, UInt8(ascii: ".")):
            // `Namespace.Color'Red'`, or a qualified path: neither is known here.
            throw notSupported("Qualified names are not supported.")
        case ("null", _): return .null
        case ("INF", _): return .double(.infinity)
        case ("NaN", _): return .double(.nan)
        case (_, _) where name.lowercased() == "true": return .boolean(true)
        case (_, _) where name.lowercased() == "false": return .boolean(false)
        default: break
        }
        offset = start
        return nil
    }
}

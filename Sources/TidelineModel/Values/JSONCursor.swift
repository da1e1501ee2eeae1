// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads JSON text from front to back.
///
/// Source: RFC 8259.
struct JSONCursor {
    private let bytes: [UInt8]
    private var position = 0
    private static let maxDepth = 100

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func document() -> JSONValue? {
        guard let value = value(depth: 0) else { return nil }
        skipBlanks()
        return position == bytes.count ? value : nil
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func word(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        let expected = Array("\(text)".utf8)
        for place in 0..<count where bytes[position + place] != expected[place] { return false }
        position += count
        return true
    }

    private mutating func value(depth: Int) -> JSONValue? {
        guard depth < JSONCursor.maxDepth else { return nil }
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map(JSONValue.string)
        case UInt8(ascii: "t"): return word("true") ? .boolean(true) : nil
        case UInt8(ascii: "f"): return word("false") ? .boolean(false) : nil
        case UInt8(ascii: "n"): return word("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        position += 1
        var members: [JSONValue.Member] = []
        if skip("}") { return .object([]) }
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\""), let name = string(), skip(":"), let value = value(depth: depth + 1) else {
                return nil
            }
            members.append(JSONValue.Member(name: name, value: value))
        } while skip(",")
        return skip("}") ? .object(members) : nil
    }

    private mutating func array(depth: Int) -> JSONValue? {
        position += 1
        var items: [JSONValue] = []
        if skip("]") { return .array([]) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            items.append(value)
        } while skip(",")
        return skip("]") ? .array(items) : nil
    }

    private mutating func number() -> JSONValue? {
        let start = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                position += 1
            default:
                return number(from: start)
            }
        }
        return number(from: start)
    }

    private func number(from start: Int) -> JSONValue? {
        guard position > start else { return nil }
        let text = Array(bytes[start..<position])
        guard DoubleText.parse(text.span) != nil else { return nil }
        return .number(String(decoding: text, as: UTF8.self))
    }

    private mutating func string() -> String? {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard escape(to: &text) else { return nil }
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escape(to text: inout [UInt8]) -> Bool {
        guard let byte = next else { return false }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            guard var scalar = unit() else { return false }
            if (0xD800...0xDBFF).contains(scalar), word("\\u"), let low = unit(), (0xDC00...0xDFFF).contains(low) {
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let character = Unicode.Scalar(scalar) else { return false }
            text.append(contentsOf: String(character).utf8)
        default: return false
        }
        return true
    }

    private mutating func unit() -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            position += 1
            value = value * 16 + UInt32(digit)
        }
        return value
    }
}

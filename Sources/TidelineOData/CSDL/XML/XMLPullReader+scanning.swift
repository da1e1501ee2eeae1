// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension XMLPullReader {
    mutating func name() throws(ODataError) -> Range<Int> {
        let start = offset
        while offset < bytes.count, Self.isNameByte(bytes[offset]) { offset += 1 }
        guard offset > start else { throw error("A name is expected.") }
        return start..<offset
    }

    func text(of range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    mutating func attributeValue() throws(ODataError) -> String {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "'") else {
            throw error("An attribute's value is not quoted.")
        }
        let quote = bytes[offset]
        offset += 1
        let start = offset
        // Most values stand as they are: copied whole.
        while offset < bytes.count, bytes[offset] != quote, bytes[offset] > 0x26 || Self.isPlain(bytes[offset]) {
            guard bytes[offset] != UInt8(ascii: "<") else { throw error("‘<’ stands in an attribute's value.") }
            offset += 1
        }
        guard offset < bytes.count else { throw error("The document ends too early.") }
        if bytes[offset] == quote {
            offset += 1
            return text(of: start..<offset - 1)
        }
        var value = Array(bytes[start..<offset])
        while offset < bytes.count, bytes[offset] != quote {
            switch bytes[offset] {
            case UInt8(ascii: "<"): throw error("‘<’ stands in an attribute's value.")
            case UInt8(ascii: "&"): try reference(into: &value)
            case 9, 10, 13:
                value.append(UInt8(ascii: " "))
                offset += 1
            case let byte:
                value.append(byte)
                offset += 1
            }
        }
        guard offset < bytes.count else { throw error("The document ends too early.") }
        offset += 1
        return String(decoding: value, as: UTF8.self)
    }

    mutating func reference(into value: inout [UInt8]) throws(ODataError) {
        guard let end = bytes[offset...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
            throw error("A reference is not closed.")
        }
        let text = self.text(of: offset + 1..<end)
        switch text {
        case "amp": value.append(UInt8(ascii: "&"))
        case "lt": value.append(UInt8(ascii: "<"))
        case "gt": value.append(UInt8(ascii: ">"))
        case "quot": value.append(UInt8(ascii: "\""))
        case "apos": value.append(UInt8(ascii: "'"))
        default:
            let isHex = text.hasPrefix("#x")
            let digits = text.dropFirst(isHex ? 2 : 1)
            guard
                text.hasPrefix("#"), digits.first?.isHexDigit == true,
                let code = UInt32(digits, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(code), code != 0
            else { throw error("The entity ‘\(text)’ is not known.") }
            value.append(contentsOf: String(Character(scalar)).utf8)
        }
        offset = end + 1
    }

    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = offset
        while offset < bytes.count, Self.isSpace(bytes[offset]) { offset += 1 }
        return offset > start
    }

    mutating func skip(past mark: StaticString) throws(ODataError) {
        while offset < bytes.count, !starts(with: mark) { offset += 1 }
        guard offset < bytes.count else { throw error("The document ends too early.") }
        offset += mark.utf8CodeUnitCount
    }

    func starts(with mark: StaticString) -> Bool {
        let count = mark.utf8CodeUnitCount
        guard offset + count <= bytes.count else { return false }
        for place in 0..<count where unsafe bytes[offset + place] != mark.utf8Start[place] { return false }
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 32 || byte == 10 || byte == 13 || byte == 9
    }

    /// Of the bytes up to `&`: those that stand for themselves in an attribute's value.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte != UInt8(ascii: "&") && byte != 9 && byte != 10 && byte != 13
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"),
            UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }
}

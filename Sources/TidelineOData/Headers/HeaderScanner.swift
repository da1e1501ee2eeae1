// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A cursor over the bytes of a header's value: tokens, quoted strings, lists.
///
/// Source: RFC 9110, section 5.6.
struct HeaderScanner {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { offset == bytes.count }
    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 { offset += 1 }
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    /// A token, or `nil` when none begins here.
    mutating func token() -> String? {
        let start = offset
        while let byte = next, Self.isTokenByte(byte) { offset += 1 }
        return start == offset ? nil : String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// A token or a quoted string; `nil` when neither is well formed here.
    mutating func tokenOrQuoted() -> String? {
        next == UInt8(ascii: "\"") ? quoted() : token()
    }

    /// A quoted string without its quotes.
    mutating func quoted() -> String? {
        guard skip("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = next {
            offset += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = next else { return nil }
                offset += 1
                text.append(escaped)
            } else {
                text.append(byte)
            }
        }
        return nil
    }

    /// The text up to the next comma or semicolon, for values that no grammar covers.
    mutating func rest(until stops: Set<UInt8>) -> String {
        let start = offset
        while let byte = next, !stops.contains(byte) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}

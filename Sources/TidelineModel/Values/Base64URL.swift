// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The text of `Edm.Binary`: base64url, written without padding, read with or without it.
///
/// Source: OData ABNF construction rules, `binaryValue`; RFC 4648, section 5.
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Appends the digits of some bytes.
    public static func append(_ source: Span<UInt8>, to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + (source.count * 4 + 2) / 3)
        var place = 0
        while place + 2 < source.count {
            let group = Int(source[place]) << 16 | Int(source[place + 1]) << 8 | Int(source[place + 2])
            bytes.append(alphabet[group >> 18])
            bytes.append(alphabet[group >> 12 & 63])
            bytes.append(alphabet[group >> 6 & 63])
            bytes.append(alphabet[group & 63])
            place += 3
        }
        switch source.count - place {
        case 1:
            let group = Int(source[place]) << 4
            bytes.append(alphabet[group >> 6])
            bytes.append(alphabet[group & 63])
        case 2:
            let group = (Int(source[place]) << 8 | Int(source[place + 1])) << 2
            bytes.append(alphabet[group >> 12])
            bytes.append(alphabet[group >> 6 & 63])
            bytes.append(alphabet[group & 63])
        default:
            break
        }
    }

    /// Appends the digits of the bytes in a buffer.
    public static func append(_ buffer: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        unsafe append(buffer.assumingMemoryBound(to: UInt8.self).span, to: &bytes)
    }

    /// The digits of some bytes.
    public static func text(_ source: [UInt8]) -> String {
        var bytes: [UInt8] = []
        append(source.span, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of a text; `nil` when a character is none of the 64 or the length is impossible.
    ///
    /// The standard alphabet's `+` and `/` are taken too, because older clients send them.
    public static func decode(_ utf8: Span<UInt8>) -> [UInt8]? {
        var count = utf8.count
        while count > 0, utf8.count - count < 2, utf8[count - 1] == UInt8(ascii: "=") { count -= 1 }
        guard count % 4 != 1, count == utf8.count || utf8.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 3 / 4)
        var group = 0
        var bits = 0
        for place in 0..<count {
            guard let digit = digit(utf8[place]) else { return nil }
            group = group << 6 | digit
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> bits))
                group &= (1 << bits) - 1
            }
        }
        return group == 0 ? bytes : nil
    }

    /// The bytes of a text; `nil` when it is no base64url.
    public static func decode(_ text: String) -> [UInt8]? {
        var copy = text
        return copy.withUTF8 { buffer in unsafe decode(buffer.span) }
    }

    /// The bytes of the text in a buffer; `nil` when it is no base64url.
    public static func decode(_ buffer: UnsafeRawBufferPointer) -> [UInt8]? {
        unsafe decode(buffer.assumingMemoryBound(to: UInt8.self).span)
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 71
        case ASCII.zero...ASCII.nine: Int(byte) + 4
        case ASCII.minus, ASCII.plus: 62
        case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

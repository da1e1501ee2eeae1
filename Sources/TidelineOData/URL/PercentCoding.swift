// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding: undone once for each segment and option after the URL is cut, done for every link we write.
///
/// `+` is a plus sign, as RFC 3986 says; only forms write blanks with it.
/// Source: RFC 3986, sections 2.1 to 2.4; OData URL Conventions 4.01, section 2.
public enum PercentCoding {
    /// The text that `encoded` stands for.
    ///
    /// - Throws: `InvalidURL` for a `%` without two digits, and for bytes that are not UTF-8.
    public static func decode(_ encoded: Substring) throws(ODataError) -> String {
        guard encoded.utf8.contains(UInt8(ascii: "%")) else { return String(encoded) }
        return try DecodedText(encoded: encoded).string
    }

    /// Encodes one path segment: everything but unreserved characters and those that predicates are made of.
    public static func encode(segment: String) -> String { encode(segment, keeping: segmentBytes) }

    /// Encodes the value of a query option: `&`, `#`, `+`, `%`, blanks and quotes included; `$`, `=`, `,`, `(`, `)`,
    /// `:`, `;`, `@`, `/`, `'` stay, for people read these links.
    public static func encode(queryValue: String) -> String { encode(queryValue, keeping: queryBytes) }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    private static let segmentBytes = table("-._~!$'()*,;=:@")
    private static let queryBytes = table("-._~!$'()*,;=:@/")

    private static func table(_ others: String) -> [Bool] {
        var table = [Bool](repeating: false, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        for byte in (letters + others).utf8 { table[Int(byte)] = true }
        return table
    }

    private static func encode(_ text: String, keeping table: [Bool]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if table[Int(byte)] {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 0xF)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

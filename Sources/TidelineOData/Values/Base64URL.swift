// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The base64url digits of `Edm.Binary`, ETags and tokens; padding is written never and read always.
///
/// Source: RFC 4648, section 5; OData ABNF construction rules, `binaryValue`.
public enum Base64URL {
    private static let digits: [UInt8] = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    static func digit(_ bits: UInt64) -> UInt8 { digits[Int(bits & 0x3F)] }

    static func value(_ digit: UInt8) -> UInt8? {
        let value = values[Int(digit)]
        return value == 0xFF ? nil : value
    }

    /// The digits of `bytes`.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var pending: UInt64 = 0
        var bits: UInt64 = 0
        for byte in bytes {
            pending = pending << 8 | UInt64(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(digit(pending >> bits))
            }
            pending &= 0xFF
        }
        if bits > 0 { text.append(digit(pending << (6 - bits))) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` stands for, or `nil` when it has another character or a wrong length.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        return decode(text, into: &bytes) ? bytes : nil
    }

    static func decode(_ text: some Collection<UInt8>, into bytes: inout [UInt8]) -> Bool {
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        var padding = 0
        var digits = 0
        for byte in text {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = value(byte) else { return false }
            digits += 1
            pending = pending << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
                pending &= (1 << bits) - 1
            }
        }
        // A lone digit says nothing; bits left over are zero; padding fills up to four if it is there at all.
        guard digits % 4 != 1, pending == 0 else { return false }
        return padding == 0 || (digits + padding) % 4 == 0 && padding <= 2
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A random token of 256 bits; only its SHA-256 is ever stored.
struct SecretToken {
    /// 43 base64url digits: what the client holds.
    let text: String
    /// 64 hexadecimal digits: what the store holds.
    var storedHash: String { Self.storedHash(of: text) }

    init(random: (Int) -> [UInt8]) {
        text = Self.base64url(random(32))
    }

    /// The stored form of a token that came in; any text has one.
    static func storedHash(of text: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(64)
        for byte in SHA256.hash(data: Array(text.utf8)) {
            result.append(digits[Int(byte >> 4)])
            result.append(digits[Int(byte & 15)])
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Source: RFC 4648, section 5, without padding.
    static func base64url(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var result: [UInt8] = []
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                result.append(digits[Int(buffer >> bits & 63)])
            }
        }
        if bits > 0 { result.append(digits[Int(buffer << (6 - bits) & 63)]) }
        return String(decoding: result, as: UTF8.self)
    }
}

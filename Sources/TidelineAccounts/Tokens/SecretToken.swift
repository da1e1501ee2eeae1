// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Crypto
import TidelineModel

/// A random token of 256 bits; only its SHA-256 is ever stored.
struct SecretToken {
    /// 43 base64url digits: what the client holds.
    let text: String
    /// 64 hexadecimal digits: what the store holds.
    var storedHash: String { Self.storedHash(of: text) }

    init(random: (Int) -> [UInt8]) {
        text = Base64URL.text(random(32))
    }

    /// The stored form of a token that came in; any text has one.
    static func storedHash(of text: String) -> String { Hexadecimal.text(SHA256.hash(data: Array(text.utf8))) }
}

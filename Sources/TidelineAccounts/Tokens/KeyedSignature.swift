// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Crypto
import TidelineModel

/// What only those who have a key can say of a text: HMAC with SHA-256.
///
/// Source: RFC 2104; RFC 6234.
public enum KeyedSignature {
    /// 64 hexadecimal digits.
    public static func text(of message: String, key: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array(message.utf8), using: SymmetricKey(data: key))
        return Hexadecimal.text(code)
    }

    /// Whether two texts are the same; takes as long wherever they differ.
    public static func isSame(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
        left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

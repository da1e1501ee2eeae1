// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Crypto
import TidelineModel

/// Signs what the service hands out and takes back, so that nobody else can make it.
///
///     base64url( HMAC-SHA256 of the payload, first 16 bytes · payload )
///
/// The payload is not secret: it holds nothing but what the user was sent before.
struct TokenSigner: Sendable {
    private let key: SymmetricKey
    private static let tagLength = 16

    /// - Parameters:
    ///   - key: the secret of the server, at least 16 bytes.
    ///   - domain: the name of the domain; a token of one domain is no token of another.
    init(key: [UInt8], domain: String) {
        self.key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key),
            info: Array("tideline link token 1 \(domain)".utf8),
            outputByteCount: 32
        )
    }

    func sign(_ payload: [UInt8]) -> String {
        let tag = HMAC<SHA256>.authenticationCode(for: payload, using: key).prefix(Self.tagLength)
        return Base64URL.text(Array(tag) + payload)
    }

    /// The payload of a token that this signer made, or `nil`.
    func payload(of token: String) -> [UInt8]? {
        guard let bytes = Base64URL.decode(token), bytes.count >= Self.tagLength else { return nil }
        let payload = Array(bytes[Self.tagLength...])
        let tag = Array(HMAC<SHA256>.authenticationCode(for: payload, using: key).prefix(Self.tagLength))
        // Every byte is looked at, whatever the ones before said: the time tells nothing.
        var difference: UInt8 = 0
        for (left, right) in zip(tag, bytes) { difference |= left ^ right }
        return difference == 0 ? payload : nil
    }
}

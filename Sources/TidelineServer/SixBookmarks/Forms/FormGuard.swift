// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts

/// Makes sure that a form was sent from a page of ours, by the browser that was given it.
///
/// The browser holds a random cookie that scripts of no page can read; each form holds its signature. Another site can
/// have the cookie sent, where the browser is old, but cannot know the signature.
struct FormGuard: Sendable {
    static let cookie = "tideline_form"
    static let field = "form"

    let key: [UInt8]

    /// A new value of the cookie.
    static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// What the field holds for a cookie.
    func signature(of secret: String) -> String {
        KeyedSignature.text(of: "form\n\(secret)", key: key)
    }

    /// Whether a form that came with this cookie is one of ours.
    func accepts(_ fields: FormFields, secret: String?, head: HTTPRequest) -> Bool {
        guard let secret, secret.utf8.count == 64, !CrossSite.sent(head) else { return false }
        return KeyedSignature.isSame(signature(of: secret), fields[Self.field])
    }
}

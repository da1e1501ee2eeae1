// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// An ETag as the file keeps it: 22 digits of base64url.
enum ETagText {
    static func text(_ etag: ETag) -> String {
        Base64URL.text(GUID(high: etag.high, low: etag.low).bytes)
    }

    static func etag(_ text: String?) -> ETag? {
        guard let text, let bytes = Base64URL.decode(text), let guid = GUID(bytes: bytes.span) else { return nil }
        return ETag(high: guid.high, low: guid.low)
    }
}

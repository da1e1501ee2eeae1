// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// An ETag as the file keeps it: 22 digits of base64url.
enum ETagText {
    static func text(_ etag: ETag) -> String {
        Base64URL.text(GUID(high: etag.high, low: etag.low).bytes)
    }

    /// Where the text of an ETag that tells of a reuse has which characters; counted from 1, as SQL does.
    static let reuse: (place: Int, characters: String) = {
        let marked = text(ETag(ETag(high: 0, low: 0), reuse: 1))
        // Sixteen bytes, three in four characters: these are the last three of the mark.
        return (13, String(marked.dropFirst(12).prefix(4)))
    }()

    static func etag(_ text: String?) -> ETag? {
        guard let text, let bytes = Base64URL.decode(text), let guid = GUID(bytes: bytes.span) else { return nil }
        return ETag(high: guid.high, low: guid.low)
    }
}

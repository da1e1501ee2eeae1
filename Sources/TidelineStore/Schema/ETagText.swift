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

    /// Those digits of an ETag that are the mark of a reuse and nothing else, the 12th to the 16th.
    private static let mark = String(text(ETag(ETag(high: 0, low: 0), reuse: 1)).dropFirst(11).prefix(5))

    /// An ETag that tells of no reuse of its key.
    static func withoutReuse(_ text: String) -> String {
        guard text.dropFirst(11).prefix(5) == mark else { return text }
        return "\(text.prefix(11))\(noMark)\(text.dropFirst(16))"
    }

    private static let noMark = "AAAAA"

    /// The statement that does the same to all rows of a table.
    static func forgetReuseSQL(in table: String, column: String = "tideline_etag") -> String {
        """
        UPDATE main.\(table) SET \(column) = substr(\(column), 1, 11) || '\(noMark)' || substr(\(column), 17)
        WHERE substr(\(column), 12, 5) = '\(mark)'
        """
    }
}

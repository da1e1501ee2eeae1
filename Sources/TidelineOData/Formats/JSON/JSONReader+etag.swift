// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension JSONReader {
    private static let etagName = Array("@etag".utf8)
    private static let prefixedETagName = Array("@odata.etag".utf8)

    /// Whether a member is the ETag of its entity: it stands in every row, so its name never becomes a string.
    @inline(__always)
    func isETag(_ name: Text) -> Bool {
        matches(name, Self.etagName) || matches(name, Self.prefixedETagName)
    }

    /// The next value as an ETag; `nil` for one that no Tideline service made.
    mutating func etagValue() throws(ODataError) -> ETag? {
        skipBlanks()
        // `"W/\"` + 22 digits + `\""`, as our writer has it, needs no unescaping.
        if offset + 30 <= end, byte(offset + 1) == UInt8(ascii: "W"), byte(offset + 4) == UInt8(ascii: "\""),
            byte(offset + 27) == UInt8(ascii: "\\"), byte(offset + 28) == UInt8(ascii: "\""),
            byte(offset + 29) == UInt8(ascii: "\""), byte(offset) == UInt8(ascii: "\""),
            byte(offset + 2) == UInt8(ascii: "/"), byte(offset + 3) == UInt8(ascii: "\\"),
            let etag = unsafe ETag(opaque: raw(offset + 5, offset + 27))
        {
            offset += 30
            return etag
        }
        return ETag(text: try stringValue())
    }
}

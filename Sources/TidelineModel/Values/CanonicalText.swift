// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A value that has one canonical text: the one of OData URLs and JSON, without quotes or prefix.
///
/// Reading takes every spelling that the standard allows, writing makes one. Both work on UTF-8 bytes, because rows
/// pass through here.
/// Source: OData ABNF construction rules 4.01, section 7, "Names and values".
public protocol CanonicalText: Sendable, CustomStringConvertible {
    /// Reads a value from its whole text; `nil` when the text has another form or is out of range.
    init?(utf8: Span<UInt8>)

    /// Appends the canonical text, ASCII only.
    func append(to bytes: inout [UInt8])
}

extension CanonicalText {
    /// Reads a value from its whole text; `nil` when the text has another form or is out of range.
    public init?(_ text: String) {
        var copy = text
        let value = copy.withUTF8 { buffer in unsafe Self(utf8: buffer.span) }
        guard let value else { return nil }
        self = value
    }

    /// Reads a value from its whole text in a buffer; `nil` when the text has another form or is out of range.
    public init?(utf8 buffer: UnsafeRawBufferPointer) {
        guard let value = unsafe Self(utf8: buffer.assumingMemoryBound(to: UInt8.self).span) else { return nil }
        self = value
    }

    /// The canonical text.
    public var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The canonical text, for people.
    public var description: String { text }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ResourcePath {
    /// The most segments of a path.
    static let segmentLimit = 50

    /// Reads the percent-encoded path below the service root.
    ///
    /// - Parameters:
    ///   - text: for example `Orders(42)/Client`, with no leading slash or one; empty for the service document.
    ///   - aliases: the texts of parameter aliases by name, for keys such as `Orders(@id)`.
    ///   - names: what the names of the model stand for; without them the meaning of some names is left open.
    /// - Throws: `InvalidURL`, `InvalidKey`, `InvalidFilter`, `NotFound` for a segment that no service has.
    public init(
        parsing text: Substring,
        aliases: [String: String] = [:],
        names: NameTable? = nil
    ) throws(ODataError) {
        try self.init(parsing: text, aliases: aliases, names: names, base: 0)
    }

    /// - Parameter base: where the text begins in the whole URL.
    init(parsing text: Substring, aliases: [String: String], names: NameTable?, base: Int) throws(ODataError) {
        var text = text
        var base = base
        guard text.utf8.count <= 1 << 16 else { throw ODataError(.tooComplex, "The path is longer than 65536 bytes.") }
        if text.utf8.first == UInt8(ascii: "/") {
            // By bytes: a combining mark after the slash is one character with it.
            text = text[text.utf8.index(after: text.startIndex)...]
            base += 1
        }
        guard !text.isEmpty else {
            self.init([])
            return
        }
        var reader = ResourcePathReader(aliases: aliases, names: names)
        while true {
            guard reader.segments.count < Self.segmentLimit else {
                throw ODataError(.tooComplex, "The path has more than \(Self.segmentLimit) segments.")
            }
            let end = Self.endOfSegment(text)
            let part = text[..<end]
            try reader.read(try DecodedText(encoded: part, base: base))
            guard end < text.endIndex else { break }
            base += part.utf8.count + 1
            text = text[text.utf8.index(after: end)...]
        }
        self.init(reader.segments)
    }

    /// The next slash, or the end; a slash inside `$filter(…)` ends nothing.
    private static func endOfSegment(_ text: Substring) -> Substring.Index {
        let bytes = text.utf8
        guard text.hasPrefix("$filter(") || text.hasPrefix("$filter%28") else {
            return bytes.firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex
        }
        var place = bytes.index(bytes.startIndex, offsetBy: 7)
        var level = 0
        var isQuoted = false
        while place < bytes.endIndex {
            var byte = bytes[place]
            var next = bytes.index(after: place)
            if byte == UInt8(ascii: "%"), let code = bytes.index(place, offsetBy: 3, limitedBy: bytes.endIndex),
                let value = UInt8(bytes[next..<code].map { String(UnicodeScalar($0)) }.joined(), radix: 16)
            {
                byte = value
                next = code
            } else if byte == UInt8(ascii: "/"), level == 0, !isQuoted {
                return place
            }
            switch byte {
            case UInt8(ascii: "'"): isQuoted.toggle()
            case UInt8(ascii: "(") where !isQuoted: level += 1
            case UInt8(ascii: ")") where !isQuoted: level -= 1
            default: break
            }
            place = next
        }
        return text.endIndex
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Cuts a multipart body into its parts, and header lines into fields.
///
///     --b\r\n  fields  \r\n\r\n  content  \r\n--b\r\n … \r\n--b--
///
/// Lenient as mail readers are: a line may end with LF alone, blanks around a colon are passed over, what stands before
/// the first boundary and after the last is ignored.
/// Source: RFC 2046, section 5.1; RFC 2045, section 3.
enum MIMEParts {
    /// One part: its header fields, and the rest.
    struct Part {
        var fields: HTTPFields
        var content: ArraySlice<UInt8>
    }

    private static let fieldLimit = 200

    /// The boundary that a `multipart/mixed` content type names.
    static func boundary(of contentType: String) throws(ODataError) -> [UInt8] {
        var scanner = HeaderScanner(contentType)
        _ = scanner.rest(until: [UInt8(ascii: ";")])
        while scanner.skip(";") {
            scanner.skipBlanks()
            guard let name = scanner.token() else { continue }
            scanner.skipBlanks()
            guard scanner.skip("=") else { continue }
            scanner.skipBlanks()
            var value = scanner.next == UInt8(ascii: "\"") ? scanner.quoted() ?? "" : scanner.rest(until: [0x3B])
            while value.hasSuffix(" ") { value.removeLast() }
            if name.lowercased() == "boundary" {
                guard !value.isEmpty, value.utf8.count <= 200 else { break }
                return Array(value.utf8)
            }
            _ = scanner.rest(until: [UInt8(ascii: ";")])
        }
        throw ODataError(.invalidBatch, "multipart/mixed names no boundary.", target: "Content-Type")
    }

    /// The parts of a body, in order.
    ///
    /// - Throws: `InvalidBatch` when the body does not end with the boundary that closes it; `TooComplex`.
    static func parts(
        _ body: ArraySlice<UInt8>,
        boundary: [UInt8],
        limit: Int
    ) throws(ODataError) -> [ArraySlice<UInt8>] {
        let mark = [UInt8(ascii: "-"), UInt8(ascii: "-")] + boundary
        var parts: [ArraySlice<UInt8>] = []
        var start: Int?
        var place = body.startIndex
        while place < body.endIndex {
            let end = body[place...].firstIndex(of: 0x0A) ?? body.endIndex
            if body[place..<end].starts(with: mark) {
                let rest = body[(place + mark.count)..<end].filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
                let isLast = rest.starts(with: [0x2D, 0x2D])
                if isLast || rest.isEmpty {
                    if let start { parts.append(trimmed(body[start..<max(start, place)])) }
                    guard parts.count <= limit else {
                        throw ODataError(.tooComplex, "The batch has more than \(limit) parts.")
                    }
                    if isLast { return parts }
                    start = min(end + 1, body.endIndex)
                }
            }
            place = end + 1
        }
        throw ODataError(.invalidBatch, "The multipart body does not end with its boundary.", at: body.endIndex)
    }

    /// The line end before a boundary belongs to the boundary.
    private static func trimmed(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var content = content
        if content.last == 0x0A { content.removeLast() }
        if content.last == 0x0D { content.removeLast() }
        return content
    }

    /// The next line without its end; `nil` when nothing is left.
    static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
        var line = rest[rest.startIndex..<end]
        rest = rest[min(end + 1, rest.endIndex)...]
        if line.last == 0x0D { line.removeLast() }
        return line
    }

    /// The part's fields and what follows the blank line behind them.
    static func part(_ bytes: ArraySlice<UInt8>) throws(ODataError) -> Part {
        var rest = bytes
        let fields = try fields(&rest)
        return Part(fields: fields, content: rest)
    }

    /// Header lines up to a blank one, which is passed.
    static func fields(_ rest: inout ArraySlice<UInt8>) throws(ODataError) -> HTTPFields {
        var fields = HTTPFields()
        while let line = line(&rest), !line.isEmpty { try add(line, to: &fields) }
        return fields
    }

    /// Adds `Name: value`.
    static func add(_ line: ArraySlice<UInt8>, to fields: inout HTTPFields) throws(ODataError) {
        let text = String(decoding: line, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":"), fields.count < fieldLimit,
            let name = HTTPField.Name(blanksTrimmed(text[..<colon])),
            case let value = blanksTrimmed(text[text.index(after: colon)...]), HTTPField.isValidValue(value)
        else {
            throw ODataError(.invalidBatch, "A header line of a part is not well formed.", at: line.startIndex)
        }
        fields.append(HTTPField(name: name, value: value))
    }

    private static func blanksTrimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}

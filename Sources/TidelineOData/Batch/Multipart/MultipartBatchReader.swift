// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Reads a multipart `$batch` request: single requests, and change sets in multiparts of their own.
///
///     --b                                        --b
///     Content-Type: application/http             Content-Type: multipart/mixed; boundary=c
///
///     GET /odata/shop/Orders(1) HTTP/1.1         --c
///     Host: example.org                          Content-Type: application/http
///                                                Content-ID: 1   …
///
/// A change set becomes an atomicity group. Source: OData Protocol 4.01, section 11.7.7.
enum MultipartBatchReader {
    static func read(_ body: [UInt8], contentType: String, limit: Int) throws(ODataError) -> [BatchRequest.Item] {
        var items: [BatchRequest.Item] = []
        var sets = 0
        let boundary = try MIMEParts.boundary(of: contentType)
        for bytes in try MIMEParts.parts(body[...], boundary: boundary, limit: limit) {
            let part = try MIMEParts.part(bytes)
            guard let nested = part.fields[.contentType], mediaType(nested) == "multipart/mixed" else {
                items.append(try item(part, number: items.count))
                continue
            }
            sets += 1
            let members = try MIMEParts.parts(
                part.content,
                boundary: try MIMEParts.boundary(of: nested),
                limit: limit - items.count
            )
            var ids: Set<String> = []
            for bytes in members {
                var item = try item(try MIMEParts.part(bytes), number: items.count)
                item.atomicityGroup = "#\(sets)"
                guard ids.insert(item.id).inserted else {
                    throw error("The Content-ID \(item.id.prefix(100)) is there twice in its change set.", item)
                }
                guard item.method != .get, item.method != .head else {
                    throw error("A change set holds changes, and no reads.", item)
                }
                items.append(item)
            }
        }
        guard items.count <= limit else {
            throw ODataError(.tooComplex, "The batch has more than \(limit) requests.")
        }
        return items
    }

    static func mediaType(_ contentType: String) -> String {
        contentType.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }

    private static func error(_ message: String, _ item: BatchRequest.Item) -> ODataError {
        ODataError(.invalidBatch, message, target: item.contentID, at: item.source.lowerBound)
    }

    /// One `application/http` part.
    private static func item(_ part: MIMEParts.Part, number: Int) throws(ODataError) -> BatchRequest.Item {
        if let type = part.fields[.contentType], mediaType(type) != "application/http" {
            throw ODataError(
                .invalidBatch,
                "A part of a batch is application/http or, for a change set, multipart/mixed.",
                at: part.content.startIndex
            )
        }
        var partFields = part.fields
        var rest = part.content
        let start = rest.startIndex
        var request: (method: HTTPRequest.Method, url: String)?
        while request == nil, let line = MIMEParts.line(&rest) {
            if line.isEmpty { continue }
            request = try requestLine(line)
            // A stray line end amid the part's own fields: the rest of them follows it.
            if request == nil { try MIMEParts.add(line, to: &partFields) }
        }
        guard let request else { throw ODataError(.invalidBatch, "A part holds no HTTP request.", at: start) }
        let fields = try MIMEParts.fields(&rest)
        var body = rest
        if let text = fields[.contentLength], let length = Int(text), length >= 0, length < body.count {
            body = body.prefix(length)
        }
        let id = partFields[.contentID] ?? fields[.contentID]
        var item = BatchRequest.Item(
            id: id ?? "#\(number)",
            method: request.method,
            url: request.url,
            headers: fields,
            source: start..<rest.endIndex
        )
        item.contentID = id
        if request.method != .get, request.method != .delete, request.method != .head { item.body = Array(body) }
        return item
    }

    /// `PATCH /odata/shop/Orders(1) HTTP/1.1`; `nil` for a line that is a header field.
    private static func requestLine(
        _ line: ArraySlice<UInt8>
    ) throws(ODataError) -> (method: HTTPRequest.Method, url: String)? {
        let words = line.split(separator: 0x20)
        guard let first = words.first, first.last != UInt8(ascii: ":"), words.count == 2 || words.count == 3,
            let method = HTTPRequest.Method(String(decoding: first, as: UTF8.self)),
            words.count == 2 || words[2].starts(with: Array("HTTP/".utf8))
        else {
            guard line.contains(UInt8(ascii: ":")) else {
                throw ODataError(.invalidBatch, "A request line is not well formed.", at: line.startIndex)
            }
            return nil
        }
        guard words.count == 3 || !first.contains(UInt8(ascii: ":")) else { return nil }
        return (method, String(decoding: words[1], as: UTF8.self))
    }
}

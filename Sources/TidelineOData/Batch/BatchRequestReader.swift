// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Reads and checks the body of a `$batch` request.
///
///     {"requests":[{"id":"1","method":"post","url":"Orders","body":{…}},
///                  {"id":"2","dependsOn":["1"],"method":"get","url":"$1/Client"}]}
///
/// Source: OData JSON Format 4.01, sections 19.1 to 19.4.
public enum BatchRequestReader {
    /// Reads a batch.
    ///
    /// - Parameters:
    ///   - contentType: the request's `Content-Type`.
    ///   - limit: the most requests.
    /// - Throws: `InvalidJSON`; `InvalidBatch` with the id of the request as target; `UnsupportedMediaType`;
    ///   `TooComplex`.
    public static func read(_ body: [UInt8], contentType: String?, limit: Int = 10_000) throws(ODataError)
        -> BatchRequest
    {
        if let contentType {
            let type = contentType.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
            if type == "multipart/mixed" {
                let items = try MultipartBatchReader.read(body, contentType: contentType, limit: limit)
                return BatchRequest(items: items, form: .multipart)
            }
            guard type == "application/json" else {
                throw ODataError(.unsupportedMediaType, "A batch is application/json or multipart/mixed.")
            }
        }
        let items = try JSONReader.read(body[...]) { reader throws(ODataError) in
            var items: [BatchRequest.Item]?
            guard try reader.kind() == .object else {
                throw ODataError(.invalidBatch, "The batch is no JSON object.", at: reader.offset)
            }
            try reader.beginObject()
            var isFirst = true
            var seen = MemberNames()
            while let token = try reader.nextName(&isFirst) {
                let name = try BatchJSON.name(token, reader, seen: &seen)
                if name == "requests" {
                    items = try requests(&reader, limit: limit)
                } else {
                    try reader.skipValue()
                }
            }
            guard let items else { throw ODataError(.invalidBatch, "The batch has no requests.", target: "requests") }
            return items
        }
        try BatchRules.check(items)
        return BatchRequest(items: items)
    }

    private static func requests(_ reader: inout JSONReader, limit: Int) throws(ODataError) -> [BatchRequest.Item] {
        guard try reader.kind() == .array else {
            throw ODataError(.invalidBatch, "requests is no array.", target: "requests", at: reader.offset)
        }
        var items: [BatchRequest.Item] = []
        try reader.beginArray()
        var isFirst = true
        while try reader.nextElement(&isFirst) {
            guard items.count < limit else {
                throw ODataError(.tooComplex, "The batch has more than \(limit) requests.", target: "requests")
            }
            items.append(try item(&reader))
        }
        return items
    }

    private static func item(_ reader: inout JSONReader) throws(ODataError) -> BatchRequest.Item {
        guard try reader.kind() == .object else {
            throw ODataError(.invalidBatch, "A request is no object.", at: reader.offset)
        }
        let start = reader.offset
        var id: String?
        var method: String?
        var url: String?
        var body: Range<Int>?
        var item = BatchRequest.Item(id: "", method: .get, url: "")
        try reader.beginObject()
        var isFirst = true
        var seen = MemberNames()
        while let token = try reader.nextName(&isFirst) {
            switch try BatchJSON.name(token, reader, seen: &seen) {
            case "id": id = try BatchJSON.string("id", &reader)
            case "method": method = try BatchJSON.string("method", &reader)
            case "url": url = try BatchJSON.string("url", &reader)
            case "headers": item.headers = try BatchJSON.headers(&reader)
            case "body": body = try reader.skipValueRange()
            case "atomicityGroup": item.atomicityGroup = try BatchJSON.string("atomicityGroup", &reader)
            case "if": item.condition = try BatchJSON.string("if", &reader)
            case "dependsOn": item.dependsOn = try dependencies(&reader)
            default: try reader.skipValue()
            }
        }
        item.source = start..<reader.offset
        guard let id, !id.isEmpty else {
            throw ODataError(.invalidBatch, "A request has no id.", target: "id", at: start)
        }
        guard let method, let verb = verbs[method.lowercased()] else {
            throw ODataError(.invalidBatch, "The request \(id) has no method that is known.", target: id, at: start)
        }
        guard let url else { throw ODataError(.invalidBatch, "The request \(id) has no url.", target: id, at: start) }
        item.id = id
        item.method = verb
        item.url = url
        if let body {
            guard verb != .get, verb != .delete else {
                throw ODataError(.invalidBatch, "The request \(id) must not have a body.", target: id, at: start)
            }
            item.body = try BatchJSON.body(body, contentType: item.headers[.contentType], reader)
        }
        return item
    }

    private static let verbs: [String: HTTPRequest.Method] = [
        "get": .get, "post": .post, "patch": .patch, "put": .put, "delete": .delete,
    ]

    private static func dependencies(_ reader: inout JSONReader) throws(ODataError) -> [String] {
        guard try reader.kind() == .array else {
            throw ODataError(.invalidBatch, "dependsOn is no array.", target: "dependsOn", at: reader.offset)
        }
        var names: [String] = []
        try reader.beginArray()
        var isFirst = true
        while try reader.nextElement(&isFirst) { names.append(try BatchJSON.string("dependsOn", &reader)) }
        return names
    }
}

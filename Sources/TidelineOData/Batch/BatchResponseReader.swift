// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel

/// Reads the answer to a JSON `$batch` request.
///
/// Source: OData JSON Format 4.01, section 19.5.
public enum BatchResponseReader {
    /// Reads an answer.
    ///
    /// - Throws: `InvalidJSON` or `InvalidBatch`; the error itself when the body is an OData error.
    public static func read(_ body: [UInt8]) throws(ODataError) -> BatchResponse {
        try JSONReader.read(body[...]) { reader throws(ODataError) in
            var response: BatchResponse?
            var nextLink: String?
            try reader.beginObject()
            var isFirst = true
            while let token = try reader.nextName(&isFirst) {
                switch ControlName(try reader.string(token)) {
                case .plain("responses"):
                    var items: [BatchResponse.Item] = []
                    try reader.beginArray()
                    var isFirstItem = true
                    while try reader.nextElement(&isFirstItem) { items.append(try item(&reader)) }
                    response = BatchResponse(items: items)
                case .plain("error"):
                    throw ErrorBody.read(body) ?? ODataError(.invalidBatch, "The answer to the batch is an error.")
                case .control("nextLink"): nextLink = try reader.stringValue()
                default: try reader.skipValue()
                }
            }
            guard var response else { throw ODataError(.invalidBatch, "The answer to the batch has no responses.") }
            response.nextLink = nextLink
            return response
        }
    }

    private static func item(_ reader: inout JSONReader) throws(ODataError) -> BatchResponse.Item {
        let start = reader.offset
        var item = BatchResponse.Item(id: "", status: 0)
        var body: Range<Int>?
        try reader.beginObject()
        var isFirst = true
        var seen = MemberNames()
        while let token = try reader.nextName(&isFirst) {
            let name = try BatchJSON.name(token, reader, seen: &seen)
            if try reader.kind() == .null {
                try reader.null()
                continue
            }
            switch name {
            case "id": item.id = try BatchJSON.string("id", &reader)
            case "atomicityGroup": item.atomicityGroup = try BatchJSON.string("atomicityGroup", &reader)
            case "status":
                guard case .integer(let status)? = try reader.value(.int32) else {
                    throw ODataError(.invalidBatch, "status is no number.", target: "status", at: reader.offset)
                }
                item.status = Int(status)
            case "headers": item.headers = try BatchJSON.headers(&reader)
            case "body": body = try reader.skipValueRange()
            default: try reader.skipValue()
            }
        }
        guard !item.id.isEmpty, (100..<600).contains(item.status) else {
            throw ODataError(.invalidBatch, "A response has no id or no status.", at: start)
        }
        if let body { item.body = try BatchJSON.body(body, contentType: item.headers[.contentType], reader) }
        return item
    }
}

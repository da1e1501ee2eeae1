// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import TidelineOData

/// The ways to make a response of bytes.
enum Answer {
    /// A response with a body of known bytes.
    static func bytes(
        _ bytes: [UInt8],
        type: String,
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:],
        isHead: Bool
    ) -> Response {
        var fields = fields
        fields[.contentType] = type
        return whole(bytes, HTTPResponse(status: status, headerFields: fields), isHead: isHead)
    }

    /// A response of a head that is complete and its body.
    static func whole(_ bytes: [UInt8], _ head: HTTPResponse, isHead: Bool) -> Response {
        var fields = head.headerFields
        let mayHaveBody = head.status.code >= 200 && head.status != .noContent && head.status != .notModified
        guard mayHaveBody else { return Response(status: head.status, headers: fields) }
        Compression.mark(&fields, size: bytes.count, isHead: isHead)
        fields[.contentLength] = "\(bytes.count)"
        let body = isHead ? Hummingbird.ResponseBody() : .init(byteBuffer: ByteBuffer(bytes: bytes))
        return Response(status: head.status, headers: fields, body: body)
    }

    /// The OData error body of a refusal, in the version that the request asked for.
    static func refusal(_ refusal: Refusal, request: HTTPRequest) -> Response {
        var fields = refusal.fields
        fields[.contentType] = "application/json"
        fields[.cacheControl] = "no-store"
        fields[.odataVersion] = request.headerFields[.odataMaxVersion] == "4.01" ? "4.01" : "4.0"
        let head = HTTPResponse(status: refusal.status, headerFields: fields)
        return whole(ErrorBody.write(refusal.error), head, isHead: request.method == .head)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineOData

/// An answer of the service of bookmarks before it is sent: a status, fields, and a document in UTF-8.
struct BookmarksAnswer {
    var status: HTTPResponse.Status
    var fields: HTTPFields
    var bytes: [UInt8]

    init(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:], _ bytes: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.bytes = bytes
    }

    init(_ status: HTTPResponse.Status, type: String, _ bytes: [UInt8]) {
        self.init(status, [.contentType: type], bytes)
    }

    /// The answer to what went wrong.
    ///
    /// The document for an address that leads nowhere is that of 2010, whose code was empty.
    init(_ error: ODataError, _ status: HTTPResponse.Status, segment: String, _ format: V2Format) {
        var shown = error
        if status == .notFound {
            shown = ODataError(code: "", message: "Resource not found for the segment '\(segment)'.")
        }
        self.init(status, type: V2Error.contentType(format), BookmarksDocuments.error(shown, format))
    }

    /// The same in the encoding and the version that the client asked for.
    func finished(for request: HTTPRequest, isSecondVersion: Bool) -> HTTPResponse {
        var head = HTTPResponse(status: status, headerFields: fields)
        head.headerFields[V2Headers.version] = isSecondVersion || Self.asksForSecond(request) ? "2.0;" : "1.0;"
        head.headerFields[.cacheControl] = "no-store"
        head.headerFields[.xContentTypeOptions] = "nosniff"
        return head
    }

    /// The document in an encoding, where it is XML.
    mutating func encode(as encoding: BookmarksText) {
        guard !bytes.isEmpty, let type = fields[.contentType], type.contains("xml") else { return }
        bytes = encoding.document(bytes)
        let bare = type.split(separator: ";").filter { !$0.hasPrefix("charset=") }.joined(separator: ";")
        fields[.contentType] = "\(bare);charset=\(encoding.rawValue)"
    }

    private static func asksForSecond(_ request: HTTPRequest) -> Bool {
        request.headerFields[V2Headers.version]?.hasPrefix("2") ?? false
    }
}

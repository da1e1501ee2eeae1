// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// Writes the answer to a multipart `$batch` request: it mirrors the request's structure.
///
///     (append | beginChangeSet append… endChangeSet)… end
///
/// Source: OData Protocol 4.01, section 11.7.7.5.
public final class MultipartBatchWriter {
    public let output: ByteWriter
    private let boundary: String
    private var changeSet: String?
    private var changeSets = 0

    /// - Parameter mark: a text that no body contains, of letters and digits.
    public init(output: ByteWriter = ByteWriter(), mark: String) {
        self.output = output
        boundary = "batch_\(mark)"
    }

    /// The `Content-Type` of the whole answer.
    public var contentType: String { "multipart/mixed; boundary=\(boundary)" }

    /// Begins the part of a change set; the answers to its members follow.
    public func beginChangeSet() {
        changeSets += 1
        let inner = "changeset_\(changeSets)_\(boundary)"
        output.append(text: "--\(boundary)\r\nContent-Type: multipart/mixed; boundary=\(inner)\r\n\r\n")
        changeSet = inner
    }

    /// Ends the part of a change set.
    public func endChangeSet() {
        guard let changeSet else { return }
        output.append(text: "--\(changeSet)--\r\n\r\n")
        self.changeSet = nil
    }

    /// Writes the answer to one request as a part.
    ///
    /// - Parameter contentID: the `Content-ID` of the request, where it had one.
    public func append(contentID: String?, status: HTTPResponse.Status, headers: HTTPFields, body: [UInt8]) {
        output.append(text: "--\(changeSet ?? boundary)\r\n")
        output.append(text: "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n")
        if let contentID { output.append(text: "Content-ID: \(contentID)\r\n") }
        output.append(text: "\r\nHTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        for field in headers { output.append(text: "\(field.name.rawName): \(field.value)\r\n") }
        if status != .noContent, status != .notModified, headers[.contentLength] == nil {
            output.append(text: "Content-Length: \(body.count)\r\n")
        }
        output.append(text: "\r\n")
        output.append(body)
        output.append(text: "\r\n")
    }

    /// Ends the answer.
    public func end() {
        output.append(text: "--\(boundary)--\r\n")
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// Writes the answer to a JSON `$batch` request, item by item.
///
///     begin()  (beginItem  …write the body into output…  endItem)…  end()
public final class BatchResponseWriter {
    /// How the body of an item stands in the answer.
    public enum BodyKind: Hashable, Sendable {
        /// There is none.
        case none
        /// JSON, written into ``output`` by whoever makes it.
        case json
    }

    public let output: ByteWriter
    private var isEmpty = true

    public init(output: ByteWriter = ByteWriter()) {
        self.output = output
    }

    /// Begins the answer.
    public func begin() {
        output.append("{\"responses\":[")
    }

    /// Begins an item; with `.json` the body goes straight into ``output`` until ``endItem()``.
    public func beginItem(id: String, atomicityGroup: String?, status: Int, headers: HTTPFields, body: BodyKind) {
        output.append(isEmpty ? "{\"id\":" : ",{\"id\":")
        isEmpty = false
        output.appendQuoted(id)
        if let atomicityGroup {
            output.append(",\"atomicityGroup\":")
            output.appendQuoted(atomicityGroup)
        }
        output.append(",\"status\":")
        output.append(integer: Int64(status))
        if !headers.isEmpty {
            output.append(",\"headers\":")
            BatchJSON.write(headers, to: output)
        }
        if body == .json { output.append(",\"body\":") }
    }

    /// Ends an item.
    public func endItem() {
        output.append("}")
    }

    /// Writes a whole item; the body is put in by its `Content-Type`: JSON raw, text as a string, others as base64url.
    public func append(_ item: BatchResponse.Item) {
        let kind: BodyKind = item.body.isEmpty ? .none : .json
        beginItem(
            id: item.id,
            atomicityGroup: item.atomicityGroup,
            status: item.status,
            headers: item.headers,
            body: kind
        )
        if kind == .json {
            BatchJSON.write(body: item.body, contentType: item.headers[.contentType], to: output)
        }
        endItem()
    }

    /// Ends the answer.
    public func end() {
        output.append("]}")
    }
}

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

    public init(output: ByteWriter = ByteWriter()) {
        self.output = output
    }

    public func begin() {}

    /// Begins an item; with `.json` the body goes straight into ``output`` until ``endItem()``.
    public func beginItem(id: String, atomicityGroup: String?, status: Int, headers: HTTPFields, body: BodyKind) {}

    public func endItem() {}

    /// Writes a whole item; the body is put in by its `Content-Type`: JSON raw, text as a string, others as base64url.
    public func append(_ item: BatchResponse.Item) {}

    public func end() {}
}

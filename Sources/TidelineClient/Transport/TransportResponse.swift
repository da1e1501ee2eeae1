// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// An answer with its whole content, decompressed.
public struct TransportResponse: Hashable, Sendable {
    public var head: HTTPResponse
    public var body: [UInt8]

    public init(head: HTTPResponse, body: [UInt8]) {
        self.head = head
        self.body = body
    }

    /// The media type in lower case, without its parameters.
    var mediaType: String? {
        head.headerFields[.contentType]?.split(separator: ";").first.map {
            $0.trimmingPrefix { $0 == " " }.lowercased().split(separator: " ").first.map(String.init) ?? ""
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// The answer to a JSON `$batch` request.
///
/// Source: OData JSON Format 4.01, section 19.5.
public struct BatchResponse: Hashable, Sendable {
    /// The answer to one request.
    public struct Item: Hashable, Sendable {
        public var id: String
        public var atomicityGroup: String?
        public var status: Int
        public var headers: HTTPFields
        /// Raw JSON, the text of a string, or decoded base64url; empty where there is none.
        public var body: [UInt8]

        public init(
            id: String,
            atomicityGroup: String? = nil,
            status: Int,
            headers: HTTPFields = HTTPFields(),
            body: [UInt8] = []
        ) {
            self.id = id
            self.atomicityGroup = atomicityGroup
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    /// In the order written, which may be another than that of the requests.
    public var items: [Item]
    /// The rest of the answer is there.
    public var nextLink: String?

    public init(items: [Item] = [], nextLink: String? = nil) {
        self.items = items
        self.nextLink = nextLink
    }
}

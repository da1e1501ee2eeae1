// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A `$batch` request, in JSON or multipart.
///
/// Source: OData JSON Format 4.01, section 19.1; OData Protocol 4.01, section 11.7.
public struct BatchRequest: Hashable, Sendable {
    /// One request of the batch.
    public struct Item: Hashable, Sendable {
        public var id: String
        public var method: HTTPRequest.Method
        /// As written: absolute, from the root of the host, relative to the service root, or beginning with `$id`.
        public var url: String
        public var headers: HTTPFields
        /// The body as bytes: raw JSON, the text of a string, or decoded base64url.
        public var body: [UInt8]
        public var atomicityGroup: String?
        /// The ids of requests and groups that must succeed first.
        public var dependsOn: [String]
        /// The text of `if`.
        public var condition: String?
        /// Where the request object stands in the bytes of the batch: what an answer kept for repetition is bound to.
        public var source: Range<Int>
        /// The `Content-ID` as a multipart request has it; `id` is the same where there is one.
        public var contentID: String?

        public init(
            id: String,
            method: HTTPRequest.Method,
            url: String,
            headers: HTTPFields = HTTPFields(),
            body: [UInt8] = [],
            atomicityGroup: String? = nil,
            dependsOn: [String] = [],
            condition: String? = nil,
            source: Range<Int> = 0..<0
        ) {
            self.id = id
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
            self.atomicityGroup = atomicityGroup
            self.dependsOn = dependsOn
            self.condition = condition
            self.source = source
        }
    }

    /// In the order written; the requests of a group stand together.
    public var items: [Item]
    public var form: BatchForm

    public init(items: [Item] = [], form: BatchForm = .json) {
        self.items = items
        self.form = form
    }
}

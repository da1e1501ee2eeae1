// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
import TidelineOData

/// The requests of a batch that failed: for the log, since the batch itself is answered 200.
///
/// What was not done only because another request failed (424) is none of them.
public struct BatchFailures: Hashable, Sendable {
    /// One request that failed.
    public struct Part: Hashable, Sendable {
        /// The request's id in the batch, as the client wrote it.
        public let id: String
        public let method: HTTPRequest.Method
        /// The URL as the client wrote it, without its query; keys stand in it.
        public let path: String
        public let status: HTTPResponse.Status
        /// The code of the error; `nil` where the answer has none.
        public let code: String?

        public init(
            id: String,
            method: HTTPRequest.Method,
            path: String,
            status: HTTPResponse.Status,
            code: String?
        ) {
            self.id = id
            self.method = method
            self.path = path
            self.status = status
            self.code = code
        }
    }

    /// The first of them.
    public private(set) var parts: [Part]
    /// How many failed.
    public private(set) var count: Int

    /// The most parts that are kept: a batch may hold thousands, and a device that is refused sends it again.
    static let limit = 10

    public init(parts: [Part] = [], count: Int = 0) {
        self.parts = parts
        self.count = count
    }

    mutating func add(_ item: BatchRequest.Item, _ answer: Answer) {
        guard answer.status.code >= 400, answer.status.code != 424 else { return }
        count += 1
        guard parts.count < Self.limit else { return }
        parts.append(
            Part(
                id: item.id,
                method: item.method,
                path: String(item.url.prefix { $0 != "?" }),
                status: answer.status,
                code: ErrorBody.read(answer.bytes)?.code
            )
        )
    }
}

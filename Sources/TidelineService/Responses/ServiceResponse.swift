// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// The answer to one request.
public struct ServiceResponse: Sendable {
    public var head: HTTPResponse
    public var body: ResponseBody
    /// What the client waits for a while, before it is content with this answer.
    public var pending: PendingAnswer?

    public init(head: HTTPResponse, body: ResponseBody = .bytes([])) {
        self.head = head
        self.body = body
    }
}

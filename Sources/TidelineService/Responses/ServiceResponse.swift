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

    /// The same with a large body in a file; where none can be made it stays as it is.
    func spooled(in folder: String) -> ServiceResponse {
        guard case .bytes(let bytes) = body, bytes.count > 65_536, let file = try? SpoolFile(of: bytes, in: folder)
        else {
            return self
        }
        var response = self
        response.body = .spool(file)
        return response
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import TidelineClient
import TidelineOData

/// A transport that answers from a script and remembers what was asked.
final class ScriptedTransport: Transport {
    typealias Answer = @Sendable (HTTPRequest, [UInt8]) async throws -> TransportResponse

    private let asked = Mutex<[HTTPRequest]>([])
    private let answer: Answer

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// The requests so far, in order.
    var requests: [HTTPRequest] { asked.withLock(\.self) }

    func paths(_ path: String) -> [HTTPRequest] { requests.filter { $0.path == path } }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        asked.withLock { $0.append(request) }
        return try await answer(request, body)
    }
}

extension TransportResponse {
    static func json(_ text: String, status: Int = 200) -> TransportResponse {
        var head = HTTPResponse(
            status: HTTPResponse.Status(code: status),
            headerFields: [.contentType: "application/json"]
        )
        head.headerFields[.odataVersion] = "4.01"
        return TransportResponse(head: head, body: Array(text.utf8))
    }

    static func status(_ code: Int, _ fields: HTTPFields = HTTPFields()) -> TransportResponse {
        TransportResponse(head: HTTPResponse(status: HTTPResponse.Status(code: code), headerFields: fields), body: [])
    }

    static func html(_ status: Int = 200) -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: [.contentType: "text/html"]),
            body: Array("<html>Welcome to the hotel</html>".utf8)
        )
    }
}

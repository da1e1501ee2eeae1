// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore

extension TestResponse {
    /// The body as text.
    var text: String { String(buffer: body) }

    /// The body as a JSON object.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body.readableBytesView))) as? [String: Any] ?? [:]
    }

    /// The code of an OData error body.
    var errorCode: String? { (json["error"] as? [String: Any])?["code"] as? String }
}

extension TestClientProtocol {
    func get(_ uri: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await execute(uri: uri, method: .get, headers: headers)
    }

    func post(_ uri: String, _ body: String, type: String = "application/json", token: String? = nil) async throws
        -> TestResponse
    {
        var headers: HTTPFields = [.contentType: type]
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await execute(uri: uri, method: .post, headers: headers, body: ByteBuffer(string: body))
    }

    /// Signs ada in to `club`.
    func signIn(_ password: String = "correct horse", as user: String = "ada") async throws -> TestResponse {
        try await post(
            "/auth/club/token",
            #"{"grant_type":"password","username":"\#(user)","password":"\#(password)","device":"test"}"#
        )
    }
}

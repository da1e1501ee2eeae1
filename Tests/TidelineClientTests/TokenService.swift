// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import TidelineClient

/// A service whose access token changes with every renewal.
final class TokenService: Sendable {
    let signIns = Mutex(0)
    let refreshes = Mutex(0)
    let valid = Mutex("none")
    let refreshToken = Mutex<String?>(nil)

    func respond(_ request: HTTPRequest, _ body: [UInt8]) async throws -> TransportResponse {
        let text = String(decoding: body, as: UTF8.self)
        guard request.path == "/auth/shop/token" else {
            let valid = valid.withLock(\.self)
            return request.headerFields[.authorization] == "Bearer \(valid)"
                ? .json(#"{"value":[]}"#) : .status(401)
        }
        try await Task.sleep(for: .milliseconds(20))
        if text.contains("refresh_token\":") {
            let count = refreshes.withLock {
                $0 += 1; return $0
            }
            let expected = refreshToken.withLock(\.self) ?? "?"
            guard text.contains("\"\(expected)\"") else { return .json("{}", status: 401) }
            return issue("r\(count)")
        }
        let count = signIns.withLock {
            $0 += 1; return $0
        }
        return text.contains("\"secret\"") ? issue("s\(count)") : .json("{}", status: 401)
    }

    private func issue(_ name: String) -> TransportResponse {
        valid.withLock { $0 = "access-\(name)" }
        refreshToken.withLock { $0 = "refresh-\(name)" }
        return .json(
            #"{"access_token":"access-\#(name)","token_type":"Bearer","expires_in":900,"refresh_token":"refresh-\#(name)","#
                + #""user":{"id":1,"name":"ann","roles":[]}}"#
        )
    }
}

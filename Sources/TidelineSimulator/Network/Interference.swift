// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient

/// What stands between a device and its service answers in its place, or spoils an answer.
enum Interference {
    /// An answer that the service did not give.
    ///
    /// - Throws: `ClientError` for 401, as a session does that has nobody to sign in.
    static func answer(_ fault: NetworkFault, _ chance: inout Chance) throws -> TransportResponse {
        guard fault == .status else {
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/html"])
            return TransportResponse(head: head, body: Array("<html>Sign in to the harbour's network</html>".utf8))
        }
        let statuses = [401, 403, 404, 407, 408, 409, 412, 413, 429, 500, 502, 503, 503, 503, 504]
        let status = chance.element(statuses) ?? 503
        guard status != 401 else { throw ClientError(.signInRequired, "Who?", advice: "Sign in.", status: 401) }
        var head = HTTPResponse(status: HTTPResponse.Status(code: status))
        if status == 429 || status == 503, chance.once(in: 2) {
            head.headerFields[.retryAfter] = "\(chance.number(1...15))"
        }
        return TransportResponse(head: head, body: [])
    }

    /// Changes an answer so that it is not what the service sent, and nothing that it could have sent.
    static func spoil(_ response: inout TransportResponse, _ fault: NetworkFault, _ chance: inout Chance) {
        let count = response.body.count
        guard count > 1 else { return }
        switch fault {
        case .truncate: response.body.removeLast(chance.number(1...count))
        default: response.body[chance.below(count)] = 0
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineModel
import TidelineService

/// A way to a service on which nothing happens.
struct DirectTransport: Transport {
    let service: ODataService

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        let response = service.respond(to: request, body: body, user: .anonymous)
        return TransportResponse(head: response.head, body: try response.body.all())
    }
}

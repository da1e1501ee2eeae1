// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Follows redirects that stay at the origin; another origin is an error, because no token may go there.
///
/// 307 and 308 repeat the request as it is; 301, 302 and 303 are followed for GET and HEAD alone, so that no write
/// turns into a read.
struct RedirectingTransport: Transport {
    private static let mostHops = 5
    let base: any Transport

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        var request = request
        for _ in 0...Self.mostHops {
            let response = try await base.send(request, body: body)
            let isSafe = request.method == .get || request.method == .head
            switch response.head.status.code {
            case 307, 308: break
            case 301...303:
                if !isSafe { return response }
            default: return response
            }
            guard let location = response.head.headerFields[.location] else { return response }
            let here = try ServiceAddress("\(request.scheme ?? "http")://\(request.authority ?? "")/")
            request.path = try here.resolve(location, from: request.path ?? "/")
        }
        throw ClientError(
            .redirected,
            "The service sends in circles.",
            advice: "Tell the administrator of the service."
        )
    }
}

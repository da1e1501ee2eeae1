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

    /// Where an answer sends to.
    private struct Redirection: Error {
        var request: HTTPRequest
    }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        var request = request
        for hop in 0...Self.mostHops {
            let response: TransportResponse
            do {
                response = try await base.send(request, body: body)
            } catch var error as ClientError where hop > 0 {
                // Who redirects has had the request.
                error.isUnsent = false
                throw error
            }
            guard let next = try Self.next(request, response.head) else { return response }
            request = next
        }
        throw Self.circles
    }

    func stream(
        _ request: HTTPRequest,
        _ receive: @escaping @Sendable (TransportPiece) async throws -> Void
    ) async throws {
        var request = request
        for _ in 0...Self.mostHops {
            let sent = request
            do {
                return try await base.stream(sent) { piece in
                    if case .head(let head) = piece, let next = try Self.next(sent, head) {
                        throw Redirection(request: next)
                    }
                    try await receive(piece)
                }
            } catch let redirection as Redirection {
                request = redirection.request
            }
        }
        throw Self.circles
    }

    /// The request to send in the place of another, where its answer says so.
    private static func next(_ request: HTTPRequest, _ head: HTTPResponse) throws -> HTTPRequest? {
        let isSafe = request.method == .get || request.method == .head
        switch head.status.code {
        case 307, 308: break
        case 301...303:
            if !isSafe { return nil }
        default: return nil
        }
        guard let location = head.headerFields[.location] else { return nil }
        let here = try ServiceAddress("\(request.scheme ?? "http")://\(request.authority ?? "")/")
        var next = request
        next.path = try here.resolve(location, from: request.path ?? "/")
        return next
    }

    private static var circles: ClientError {
        ClientError(
            .redirected,
            "The service sends in circles.",
            advice: "Tell the administrator of the service."
        )
    }
}

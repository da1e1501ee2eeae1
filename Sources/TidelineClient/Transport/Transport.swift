// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// Carries one request to a server and its answer back: the seam between the client and the network.
///
/// A transport follows no redirects, keeps no cookies and adds no credentials. The body that it returns is whole: a
/// body that was cut off is an error. Cancelling the task ends the exchange with `CancellationError`.
public protocol Transport: Sendable {
    /// - Parameters:
    ///   - request: with scheme, authority and path.
    ///   - body: the content, empty for none.
    /// - Throws: ``ClientError`` with `unreachable`, `timedOut`, `interrupted`, `unreadableAnswer` or `tooLarge`;
    ///   ``ClientError/isUnsent`` where nothing was sent, for sure.
    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse

    /// Hands an answer over while it comes, and returns at its end: for an answer that goes on for long.
    ///
    /// - Parameter receive: gets the head, then the content in pieces of any size; what it throws ends the exchange.
    /// - Throws: ``ClientError`` as ``send(_:body:)``, or what `receive` throws.
    func stream(
        _ request: HTTPRequest,
        _ receive: @escaping @Sendable (TransportPiece) async throws -> Void
    ) async throws
}

extension Transport {
    /// For transports that bring whole answers only.
    public func stream(
        _ request: HTTPRequest,
        _ receive: @escaping @Sendable (TransportPiece) async throws -> Void
    ) async throws {
        let response = try await send(request, body: [])
        try await receive(.head(response.head))
        if !response.body.isEmpty { try await receive(.content(response.body)) }
    }
}

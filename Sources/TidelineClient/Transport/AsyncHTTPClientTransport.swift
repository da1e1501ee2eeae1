// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import AsyncHTTPClient
import Dispatch
import Glibc
public import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// The transport of Linux, on AsyncHTTPClient: connections are kept and used again, gzip is decoded.
///
/// A compressed content that ends early is an error there, as is one that is shorter than announced.
public final class AsyncHTTPClientTransport: Transport {
    /// One for the whole process.
    public static let shared = AsyncHTTPClientTransport()

    private let client: HTTPClient
    /// What is streamed has connections of its own, as many as there are streams: each holds one for as long as it lasts,
    /// and would keep requests from the few that a host is asked on.
    private let streams: HTTPClient
    private let limits: TransportLimits

    /// A transport with its own connections.
    public init(limits: TransportLimits = TransportLimits()) {
        self.limits = limits
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = HTTPClient.Configuration.Timeout(
            connect: TimeAmount(limits.connect),
            read: TimeAmount(limits.idle)
        )
        // Who refuses a connection is told of at once, and not asked again until the limit has passed: when to try
        // again is decided where a person can see it.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.decompression = .enabled(limit: .size(limits.bodySizeInBytes))
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = .max
        streams = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        client.shutdown(queue: .global()) { _ in }
        streams.shutdown(queue: .global()) { _ in }
    }

    public func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        // Where it is cancelled already, the client may send it all the same.
        try Task.checkCancellation()
        var outgoing = Self.outgoing(request)
        if !body.isEmpty { outgoing.body = .bytes(body) }
        do {
            let response = try await client.execute(outgoing, timeout: TimeAmount(limits.head))
            return try await collect(response, method: request.method)
        } catch {
            throw Self.explain(error, host: request.authority ?? "")
        }
    }

    public func stream(
        _ request: HTTPRequest,
        _ receive: @escaping @Sendable (TransportPiece) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        let host = request.authority ?? ""
        let response: HTTPClientResponse
        do {
            response = try await streams.execute(Self.outgoing(request), timeout: TimeAmount(limits.head))
        } catch {
            throw Self.explain(error, host: host)
        }
        try await receive(.head(Self.head(response)))
        var pieces = response.body.makeAsyncIterator()
        while true {
            let piece: ByteBuffer?
            do { piece = try await pieces.next() } catch { throw Self.explain(error, host: host) }
            guard let piece else { return }
            try await receive(.content(Array(piece.readableBytesView)))
        }
    }

    private static func outgoing(_ request: HTTPRequest) -> HTTPClientRequest {
        var outgoing = HTTPClientRequest(url: request.address)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headerFields { outgoing.headers.add(name: field.name.rawName, value: field.value) }
        return outgoing
    }

    private static func head(_ response: HTTPClientResponse) -> HTTPResponse {
        var head = HTTPResponse(status: HTTPResponse.Status(code: Int(response.status.code)))
        for (name, value) in response.headers {
            if let name = HTTPField.Name(name) { head.headerFields.append(HTTPField(name: name, value: value)) }
        }
        return head
    }

    private func collect(_ response: HTTPClientResponse, method: HTTPRequest.Method) async throws -> TransportResponse {
        let head = Self.head(response)
        let announced =
            head.headerFields[.contentEncoding] == nil ? head.headerFields[.contentLength].flatMap { Int($0) } : nil
        if let announced, announced > limits.bodySizeInBytes { throw limits.tooLarge() }
        var body: [UInt8] = []
        if let announced { body.reserveCapacity(announced) }
        for try await part in response.body {
            guard body.count + part.readableBytes <= limits.bodySizeInBytes else { throw limits.tooLarge() }
            body.append(contentsOf: part.readableBytesView)
        }
        if let announced, method != .head, announced != body.count {
            throw ClientError.interrupted()
        }
        return TransportResponse(head: head, body: body)
    }

    private static func explain(_ error: any Error, host: String) -> any Error {
        if error is ClientError { return error }
        if error is CancellationError || Task.isCancelled { return CancellationError() }
        if let error = error as? HTTPClientError {
            switch error {
            // Not by this task, as where the client is shut down.
            case .cancelled: return ClientError.interrupted()
            // Requests that wait for a connection meet this, and none that has one.
            case .connectTimeout: return ClientError.unreachable(host, "The connection took too long.", isUnsent: true)
            case .readTimeout, .deadlineExceeded, .writeTimeout, .getConnectionFromPoolTimeout:
                return ClientError.timedOut(host)
            case .remoteConnectionClosed: return ClientError.interrupted()
            default: return ClientError.unreachable(host, "\(error)")
            }
        }
        if let error = error as? IOError {
            let isReset = error.errnoCode == ECONNRESET || error.errnoCode == EPIPE
            if isReset { return ClientError.interrupted() }
            // The other codes of a connection that does not come about can end one that stands, too.
            let isRefused = error.errnoCode == ECONNREFUSED
            return ClientError.unreachable(host, "Nobody answers there.", isUnsent: isRefused)
        }
        // These types live in modules that are no dependency of this target.
        let kind = "\(type(of: error))"
        if kind.contains("Decompression") || kind.contains("HTTPParser") { return ClientError.interrupted() }
        if kind.hasPrefix("NIOSSL"), let error = ClientError.noTLS(host, "\(error)") { return error }
        // No address of the name, or a connection to none of them.
        if kind == "NIOConnectionError" {
            return ClientError.unreachable(host, "Nobody answers there.", isUnsent: true)
        }
        return ClientError.unreachable(host, "\(error)")
    }
}
#endif

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
public import HTTPTypes
import Synchronization

/// The transport of Apple's platforms, and the other one of Linux, on URLSession.
///
/// URLSession decodes gzip and checks it. Cookies and caches are off. On Linux the process ignores SIGPIPE from the first
/// transport on, unless it has a handler of its own.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    /// What is streamed has connections of its own, as many as there are streams: each holds one for as long as it lasts,
    /// and would keep requests from the few that a host is asked on.
    private let streams: URLSession
    // One for each session: the numbers of tasks are those of their session.
    private let exchanges: Exchanges
    private let streamed: Exchanges

    /// A transport with its own connections.
    public init(limits: TransportLimits = TransportLimits()) {
        #if os(Linux)
        _ = BrokenPipe.isIgnored
        #endif
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = max(limits.idle, limits.connect) / .seconds(1)
        exchanges = Exchanges(limits: limits)
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
        configuration.httpMaximumConnectionsPerHost = .max
        streamed = Exchanges(limits: limits)
        streams = URLSession(configuration: configuration, delegate: streamed, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
        streams.finishTasksAndInvalidate()
    }

    public func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        var outgoing = try Self.outgoing(request)
        if !body.isEmpty { outgoing.httpBody = Data(body) }
        let task = session.dataTask(with: outgoing)
        let host = request.authority ?? ""
        return try await Self.cancellable {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let exchange = Exchange(
                        host: host,
                        isHead: request.method == .head,
                        keepsContent: !body.isEmpty,
                        continuation: continuation
                    )
                    exchanges.begin(task, exchange)
                }
            } onCancel: {
                task.cancel()
            }
        }
    }

    public func stream(
        _ request: HTTPRequest,
        _ receive: @escaping @Sendable (TransportPiece) async throws -> Void
    ) async throws {
        let task = streams.dataTask(with: try Self.outgoing(request))
        let (pieces, continuation) = AsyncThrowingStream<TransportPiece, any Error>.makeStream()
        continuation.onTermination = { _ in task.cancel() }
        streamed.begin(task, host: request.authority ?? "", continuation)
        try await Self.cancellable {
            for try await piece in pieces { try await receive(piece) }
            try Task.checkCancellation()
        }
    }

    /// Runs an exchange; one that fails when its task is cancelled fails of that, whatever URLSession says.
    private static func cancellable<Result>(_ exchange: () async throws -> Result) async throws -> Result {
        do { return try await exchange() } catch {
            try Task.checkCancellation()
            throw error
        }
    }

    private static func outgoing(_ request: HTTPRequest) throws -> URLRequest {
        guard let url = URL(string: request.address) else {
            throw ClientError(.invalidAddress, "\(request.address) is no address.", advice: "Check the address.")
        }
        var outgoing = URLRequest(url: url)
        outgoing.httpMethod = request.method.rawValue
        for field in request.headerFields { outgoing.addValue(field.value, forHTTPHeaderField: field.name.rawName) }
        return outgoing
    }
}

/// One request on its way.
private struct Exchange {
    let host: String
    let isHead: Bool
    /// Whether the request has content, none of which any connection has taken yet.
    var keepsContent: Bool
    let continuation: CheckedContinuation<TransportResponse, any Error>
    var body = Data()
    /// Why the exchange was given up here.
    var failure: ClientError?
}

/// One answer that is taken while it comes.
private struct Streaming {
    let host: String
    let continuation: AsyncThrowingStream<TransportPiece, any Error>.Continuation
}

/// The exchanges under way, by task; every field is guarded by the mutex.
private final class Exchanges: NSObject, URLSessionDataDelegate, Sendable {
    private let limits: TransportLimits
    private let running = Mutex<[Int: Exchange]>([:])
    private let streams = Mutex<[Int: Streaming]>([:])

    init(limits: TransportLimits) {
        self.limits = limits
    }

    func begin(_ task: URLSessionDataTask, _ exchange: Exchange) {
        running.withLock { $0[task.taskIdentifier] = exchange }
        task.resume()
        // One that was cancelled before may have told its end already, when nobody waited for it.
        guard Task.isCancelled else { return }
        let ended = running.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        ended?.continuation.resume(throwing: CancellationError())
    }

    func begin(
        _ task: URLSessionDataTask,
        host: String,
        _ continuation: AsyncThrowingStream<TransportPiece, any Error>.Continuation
    ) {
        streams.withLock { $0[task.taskIdentifier] = Streaming(host: host, continuation: continuation) }
        task.resume()
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let stream = streams.withLock { $0[dataTask.taskIdentifier] }
        if let stream, let response = response as? HTTPURLResponse {
            stream.continuation.yield(.head(Self.head(response)))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if let stream = streams.withLock({ $0[dataTask.taskIdentifier] }) {
            stream.continuation.yield(.content(Array(data)))
            return
        }
        let isTooLarge = running.withLock { running in
            guard var exchange = running.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            defer { running[dataTask.taskIdentifier] = exchange }
            guard exchange.body.count + data.count <= limits.bodySizeInBytes else {
                exchange.failure = limits.tooLarge()
                return true
            }
            exchange.body.append(data)
            return false
        }
        if isTooLarge { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        running.withLock { running -> Void in running[task.taskIdentifier]?.keepsContent = false }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let hasBegun = task.response != nil
        if let stream = streams.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) {
            let failure = error.map { ClientError($0, host: stream.host, hasBegun: hasBegun) }
            stream.continuation.finish(throwing: failure)
            return
        }
        guard let exchange = running.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let failure = exchange.failure {
            exchange.continuation.resume(throwing: failure)
        } else if let error {
            exchange.continuation.resume(
                throwing: ClientError(
                    error,
                    host: exchange.host,
                    hasBegun: hasBegun,
                    keepsContent: exchange.keepsContent
                )
            )
        } else if let response = task.response as? HTTPURLResponse {
            exchange.continuation.resume(with: Self.answer(response, exchange))
        } else {
            exchange.continuation.resume(throwing: ClientError.interrupted())
        }
    }

    private static func answer(_ response: HTTPURLResponse, _ exchange: Exchange) -> Result<
        TransportResponse, any Error
    > {
        let head = Self.head(response)
        let announced =
            head.headerFields[.contentEncoding] == nil ? head.headerFields[.contentLength].flatMap { Int($0) } : nil
        if let announced, !exchange.isHead, announced != exchange.body.count {
            return .failure(ClientError.interrupted())
        }
        return .success(TransportResponse(head: head, body: Array(exchange.body)))
    }

    private static func head(_ response: HTTPURLResponse) -> HTTPResponse {
        var head = HTTPResponse(status: HTTPResponse.Status(code: response.statusCode))
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let name = HTTPField.Name(name), let value = value as? String else {
                continue
            }
            head.headerFields[name] = value
        }
        return head
    }
}

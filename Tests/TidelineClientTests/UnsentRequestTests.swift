// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import HTTPTypes
import Testing
import TidelineClient

/// The sure sign that nothing of a request was sent, and failures that do not give it.
struct UnsentRequestTests {
    private static func transports() -> [any Transport] {
        let limits = TransportLimits(connect: .seconds(60), idle: .seconds(60), head: .seconds(60))
        return [AsyncHTTPClientTransport(limits: limits), URLSessionTransport(limits: limits)]
    }

    private func request(_ method: HTTPRequest.Method, _ port: UInt16) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1:\(port)", path: "/")
    }

    /// What a request with content fails of.
    private func failure(of transport: any Transport, _ port: UInt16) async -> ClientError? {
        do {
            _ = try await transport.send(request(.post, port), body: Array(#"{"tide":1}"#.utf8))
            return nil
        } catch {
            return error as? ClientError
        }
    }

    @Test(arguments: [0, 1])
    func `of a connection that is refused it is sure that nothing was sent`(kind: Int) async throws {
        let server = try LoopbackServer("")
        let port = server.port
        server.close()
        let outcome = await failure(of: Self.transports()[kind], port)
        let error = try #require(outcome)
        #expect(error.code == .unreachable)
        #expect(error.isUnsent)
    }

    @Test(arguments: [0, 1])
    func `who takes a request and goes without a word may have done it`(kind: Int) async throws {
        let server = try LoopbackServer("")
        let outcome = await failure(of: Self.transports()[kind], server.port)
        let error = try #require(outcome)
        #expect(!error.isUnsent)
    }

    /// URLSession tries what failed on a connection that was kept once more on a new one, and tells how that failed: it is
    /// refused, and the request was sent before.
    @Test(.timeLimit(.minutes(2)), arguments: [0, 1])
    func `what was sent over a connection that was kept, and failed, may be done`(kind: Int) async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            staysOpen: true,
            again: { arrived.yield() }
        )
        let transport = Self.transports()[kind]
        let first = try await transport.send(request(.get, server.port), body: [])
        #expect(String(decoding: first.body, as: UTF8.self) == "hello")
        async let later = failure(of: transport, server.port)
        for await _ in arrivals { break }
        server.close()
        let outcome = await later
        let error = try #require(outcome)
        #expect(!error.isUnsent)
    }
}
#endif

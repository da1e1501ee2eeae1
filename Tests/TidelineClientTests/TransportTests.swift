// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import HTTPTypes
import Testing
import TidelineClient

/// The transports against a socket that says exactly what a test wants.
struct TransportTests {
    private static func transports() -> [any Transport] {
        let limits = TransportLimits(connect: .seconds(2), idle: .seconds(2), head: .seconds(2), bodySizeInBytes: 1000)
        return [AsyncHTTPClientTransport(limits: limits), URLSessionTransport(limits: limits)]
    }

    private func send(_ transport: any Transport, port: UInt16) async throws -> TransportResponse {
        let request = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: "/")
        return try await transport.send(request, body: [])
    }

    @Test(arguments: [0, 1])
    func `a whole answer comes with its fields`(kind: Int) async throws {
        let server = try LoopbackServer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello")
        let response = try await send(Self.transports()[kind], port: server.port)
        #expect(String(decoding: response.body, as: UTF8.self) == "hello")
        #expect(response.head.headerFields[.contentType] == "text/plain")
    }

    @Test(arguments: [0, 1])
    func `an answer that is cut off is an error`(kind: Int) async throws {
        let server = try LoopbackServer("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello")
        await #expect { try await send(Self.transports()[kind], port: server.port) } throws: {
            ($0 as? ClientError)?.isTransient == true
        }
    }

    @Test(arguments: [0, 1])
    func `a chunked answer without its end is an error`(kind: Int) async throws {
        let server = try LoopbackServer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        await #expect { try await send(Self.transports()[kind], port: server.port) } throws: {
            ($0 as? ClientError)?.isTransient == true
        }
    }

    @Test(arguments: [0, 1])
    func `an answer beyond the limit is an error`(kind: Int) async throws {
        let body = String(repeating: "x", count: 2000)
        let server = try LoopbackServer("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + body)
        await #expect { try await send(Self.transports()[kind], port: server.port) } throws: {
            ($0 as? ClientError)?.code == .tooLarge
        }
    }

    @Test(arguments: [0, 1])
    func `a redirect is handed over, not followed`(kind: Int) async throws {
        let server = try LoopbackServer(
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(try await send(Self.transports()[kind], port: server.port).head.status.code == 302)
    }

    @Test(arguments: [0, 1])
    func `a server that is not there is told apart`(kind: Int) async throws {
        let server = try LoopbackServer("")
        let port = server.port
        server.close()
        await #expect { try await send(Self.transports()[kind], port: port) } throws: {
            ($0 as? ClientError)?.code == .unreachable
        }
    }

    @Test(arguments: [0, 1])
    func `a server that says nothing is not waited for for ever`(kind: Int) async throws {
        let server = try LoopbackServer(nil)
        await #expect { try await send(Self.transports()[kind], port: server.port) } throws: {
            ($0 as? ClientError)?.code == .timedOut
        }
    }
}
#endif

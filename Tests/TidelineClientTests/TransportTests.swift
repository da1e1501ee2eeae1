// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import HTTPTypes
import Synchronization
import Testing
import TidelineClient
import TidelineTestSupport

/// The transports against a socket that says exactly what a test wants.
struct TransportTests {
    /// - Parameter patience: long, where it is not what the test is about: a busy machine may be slow.
    private static func transports(patience: Duration = .seconds(60)) -> [any Transport] {
        let limits = TransportLimits(connect: patience, idle: patience, head: patience, bodySizeInBytes: 1000)
        return [AsyncHTTPClientTransport(limits: limits), URLSessionTransport(limits: limits)]
    }

    private func request(_ port: UInt16) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: "/")
    }

    private func send(_ transport: any Transport, port: UInt16) async throws -> TransportResponse {
        try await transport.send(request(port), body: [])
    }

    @Test(.covers("MD-I68"), arguments: [0, 1])
    func `a whole answer comes with its fields`(kind: Int) async throws {
        let server = try LoopbackServer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello")
        let response = try await send(Self.transports()[kind], port: server.port)
        #expect(response.head.status.code == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == "hello")
        #expect(response.head.headerFields[.contentType] == "text/plain")
    }

    @Test(.covers("MD-I69"), arguments: [0, 1], [404, 500])
    func `an answer of failure comes with all that it says`(kind: Int, status: Int) async throws {
        let server = try LoopbackServer("HTTP/1.1 \(status) No\r\nContent-Length: 8\r\n\r\nNo tide.")
        let response = try await send(Self.transports()[kind], port: server.port)
        #expect(response.head.status.code == status)
        #expect(String(decoding: response.body, as: UTF8.self) == "No tide.")
    }

    @Test func `a connection that breaks is an error and never the end of the process`() {
        _ = URLSessionTransport()
        var now = sigaction()
        #expect(unsafe sigaction(SIGPIPE, nil, &now) == 0)
        let handler = unsafe now.__sigaction_handler.sa_handler
        #expect(unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self))
    }

    @Test(.timeLimit(.minutes(1)), arguments: [0, 1])
    func `a request that is cancelled before it is sent ends`(kind: Int) async throws {
        let server = try LoopbackServer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        let (transport, port) = (Self.transports()[kind], server.port)
        for _ in 0..<200 {
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await transport.send(request(port), body: [])
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test(.covers("MD-I68"), arguments: [0, 1])
    func `an answer that is cut off is an error`(kind: Int) async throws {
        let server = try LoopbackServer("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello")
        await #expect { try await send(Self.transports()[kind], port: server.port) } throws: {
            ($0 as? ClientError)?.code == .interrupted
        }
    }

    @Test(.covers("MD-I68"), arguments: [0, 1])
    func `a chunked answer without its end is an error`(kind: Int) async throws {
        let server = try LoopbackServer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        await #expect { try await send(Self.transports()[kind], port: server.port) } throws: {
            ($0 as? ClientError)?.code == .interrupted
        }
    }

    @Test(.covers("MD-I68"), arguments: [0, 1])
    func `a connection that is dropped, before an answer or within it, is told as that`(kind: Int) async throws {
        let begun = "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello"
        for server in [try LoopbackServer(""), try LoopbackServer(begun, isReset: true)] {
            let transport = Self.transports()[kind]
            await #expect { try await send(transport, port: server.port) } throws: {
                ($0 as? ClientError)?.code == .interrupted
            }
            await #expect { try await transport.stream(request(server.port)) { _ in } } throws: {
                ($0 as? ClientError)?.code == .interrupted
            }
        }
    }

    /// The connection stays open: it is the last chunk that ends what it ends.
    @Test(.covers("MD-I68"), arguments: [0, 1])
    func `chunks are put together, and the last of them ends an answer and a stream`(kind: Int) async throws {
        let chunks = "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"
        let server = try LoopbackServer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks,
            staysOpen: true
        )
        let transport = Self.transports()[kind]
        let answer = try await send(transport, port: server.port)
        #expect(String(decoding: answer.body, as: UTF8.self) == "hello world")
        let (head, parts) = try await pieces(of: server, by: transport)
        #expect(head.status.code == 200)
        #expect(String(decoding: parts.joined(), as: UTF8.self) == "hello world")
    }

    @Test(.covers("MD-I68"), arguments: [0, 1])
    func `a stream says first how much will come, then hands over piece by piece, and returns at the end`(
        kind: Int
    ) async throws {
        let text = String(repeating: "0123456789", count: 100_000)
        let server = try LoopbackServer("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + text)
        let (head, parts) = try await pieces(of: server, by: Self.transports()[kind])
        #expect(head.status.code == 200)
        #expect(head.headerFields[.contentLength] == "1000000")
        #expect(parts.count > 1)
        // Of two that differ a test would look for the least difference, byte by byte.
        let isWhole = parts.joined().elementsEqual(text.utf8)
        #expect(isWhole, "\(parts.map(\.count))")
    }

    /// Takes a stream to its end.
    ///
    /// - Returns: its first piece, which is the head, and those behind it, which are content.
    private func pieces(
        of server: LoopbackServer,
        by transport: any Transport
    ) async throws -> (head: HTTPResponse, parts: [[UInt8]]) {
        let pieces = Mutex<[TransportPiece]>([])
        try await transport.stream(request(server.port)) { piece in pieces.withLock { $0.append(piece) } }
        let all = pieces.withLock(\.self)
        guard case .head(let head) = try #require(all.first) else { throw CocoaError(.fileReadUnknown) }
        let parts = all.compactMap { piece in if case .content(let bytes) = piece { bytes } else { nil } }
        #expect(parts.count == all.count - 1)
        return (head, parts)
    }

    @Test(.covers("MD-I68"), arguments: [0, 1])
    func `a stream is handed over while it comes, and ends when its reader has enough`(kind: Int) async throws {
        struct Enough: Error, Equatable {}
        let server = try LoopbackServer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n5\r\nhello\r\n",
            staysOpen: true
        )
        let request = request(server.port)
        let heads = Mutex<[HTTPResponse]>([])
        let text = Mutex("")
        await #expect(throws: Enough()) {
            try await Self.transports()[kind].stream(request) { piece in
                switch piece {
                case .head(let head): heads.withLock { $0.append(head) }
                case .content(let bytes):
                    text.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
                    if text.withLock({ $0 }) == "hello" { throw Enough() }
                }
            }
        }
        #expect(heads.withLock { $0.map(\.status.code) } == [200])
        #expect(heads.withLock { $0.first?.headerFields[HTTPField.Name("X")!] } == "y")
    }

    @Test(arguments: [0, 1])
    func `streams that stay open do not wait for each other`(kind: Int) async throws {
        let server = try LoopbackServer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
            staysOpen: true
        )
        let transport = Self.transports()[kind]
        let request = request(server.port)
        let count = 20
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    // One that fails ends the count.
                    defer { arrived.finish() }
                    try await transport.stream(request) { piece in
                        if case .content = piece { arrived.yield() }
                    }
                }
            }
            var begun = 0
            for await _ in arrivals {
                begun += 1
                if begun == count { break }
            }
            #expect(begun == count)
            group.cancelAll()
            while let result = await group.nextResult() {
                #expect(throws: CancellationError.self) { try result.get() }
            }
        }
    }

    @Test(.covers("MD-I68"), arguments: [0, 1])
    func `a stream that is cut off, or says nothing for too long, is an error`(kind: Int) async throws {
        for staysOpen in [false, true] {
            let server = try LoopbackServer(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                staysOpen: staysOpen
            )
            await #expect {
                try await Self.transports(patience: .seconds(2))[kind].stream(request(server.port)) { _ in }
            } throws: {
                ($0 as? ClientError)?.code == (staysOpen ? .timedOut : .interrupted)
            }
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

    /// The limit is longer than the test may take: who waited for it would not be told in time.
    @Test(.covers("SB-F095", "SB-W18", "SB-W17", "MD-I68"), .timeLimit(.minutes(2)), arguments: [0, 1])
    func `a server that is not there is told at once, however long a connection may take`(kind: Int) async throws {
        let server = try LoopbackServer("")
        let port = server.port
        server.close()
        let transport = Self.transports(patience: .seconds(3600))[kind]
        await #expect { try await send(transport, port: port) } throws: {
            ($0 as? ClientError)?.code == .unreachable
        }
        await #expect { try await transport.stream(request(port)) { _ in } } throws: {
            ($0 as? ClientError)?.code == .unreachable
        }
    }

    @Test(.covers("SB-F095", "SB-W18", "MD-I68"), arguments: [0, 1])
    func `a server that says nothing is not waited for for ever`(kind: Int) async throws {
        let server = try LoopbackServer(nil)
        let transport = Self.transports(patience: .seconds(2))[kind]
        await #expect { try await send(transport, port: server.port) } throws: {
            ($0 as? ClientError)?.code == .timedOut
        }
    }
}
#endif

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import TidelineServer
import TidelineTestSupport

struct BadBytesTests {
    @Test(arguments: [
        "nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /\u{0} HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST /odata/shop/Notes HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
        "POST /odata/shop/Notes HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
    func `what is no HTTP gets 400 or a closed connection, and the server goes on`(text: String) async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let answer = try RawConnection.exchange(text, port: port)
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
            #expect(try await client.get("/healthz").status == .ok)
        }
    }

    @Test(arguments: [
        "GET /odata/shop/Notes?$filter=\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /odata/shop/Notes HTTP/1.1\r\nHost: x\r\nX-A: \(String(repeating: "a", count: 100_000))\r\n\r\n",
        "GET /odata/shop/Notes HTTP/1.1\r\nHost: x\r\n\(String(repeating: "X-A: a\r\n", count: 2000))\r\n",
    ])
    func `an address or fields without end get 431 and a word on how to send a long query`(text: String) async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let answer = try await Self.answer(to: text, port: port)
            #expect(answer.hasPrefix("HTTP/1.1 431 "), "\(answer)")
            #expect(answer.contains(#""code":"TooComplex""#))
            #expect(answer.contains("$query"))
        }
    }

    @Test(arguments: ["", "Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n"])
    func `a request that names no server, or two, gets 400`(fields: String) async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let text = "GET /odata/shop/Notes HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n"
            let answer = try await Self.answer(to: text, port: port)
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            #expect(answer.contains("InvalidHost"))
        }
    }

    @Test(arguments: [
        ("127.0.0.1", 200), ("localhost:8080", 200), ("[::1]:8080", 200), ("shop.localhost", 200),
        ("attacker.example", 421), ("127.0.0.1.attacker.example:80", 421), ("localhost.attacker.example", 421),
    ])
    func `on loopback an open domain answers to loopback's names alone`(host: String, status: Int) async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let text = "GET /odata/shop/Notes HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
            let answer = try await Self.answer(to: text, port: port)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        }
    }

    @Test(arguments: [
        "GET /odata/shop/Notes", "POST /odata/club/Notes", "POST /auth/club/nothing", "POST /nothing",
    ])
    func `a body without an end holds an answered connection no longer than a body may take`(line: String) async throws
    {
        let world = try ServerWorld(bodyTimeout: .seconds(1))
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let head = "\(line) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            let (answer, isClosed) = try await OwnThread.run {
                try RawConnection.sendWithoutEnd(head, port: port, seconds: 60)
            }
            #expect(answer.hasPrefix("HTTP/1.1 "))
            #expect(isClosed)
        }
    }

    @Test(arguments: ["Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"])
    func `a body that stands still is answered, and the connection closes`(rest: String) async throws {
        let world = try ServerWorld(bodyTimeout: .seconds(1))
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let head = "POST /odata/shop/Notes HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\(rest)"
            // It is read to its end, which is that of the connection.
            let answer = try await Self.answer(to: head, port: port)
            #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
            #expect(answer.contains("\"code\":\"BodyTooSlow\""))
            #expect(try await client.get("/odata/shop/Notes/$count").text == "3")
        }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\nzz\r\n"]
    )
    func `a body that ends early or is framed wrongly is the client's mistake`(rest: String) async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let head = "POST /odata/shop/Notes HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\(rest)"
            let answer = try await OwnThread.run { try RawConnection.exchange(head, port: port, endsSending: true) }
            // Where the connection is gone by then, nothing comes; a mistake of the server it is not.
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            var line: String?
            while line == nil {
                try Task.checkCancellation()
                await Task.yield()
                line = world.log.lines.first { $0.contains("method=POST") }
            }
            #expect(line?.contains("status=400") == true, "\(line ?? "")")
            #expect(try await client.get("/odata/shop/Notes/$count").text == "3")
        }
    }

    private static func answer(to text: String, port: Int) async throws -> String {
        try await OwnThread.run { try RawConnection.exchange(text, port: port, endsSending: false) }
    }
}

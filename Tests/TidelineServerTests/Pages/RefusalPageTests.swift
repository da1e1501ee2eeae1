// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineServer
import TidelineTestSupport

struct RefusalPageTests {
    @Test func `a domain that is not there gets a page for people and an error for programs`() async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            for path in ["/odata/sohp/", "/odata/sohp/Notes?$top=1"] {
                let page = try await client.get(path, [.accept: "text/html,*/*;q=0.8"])
                #expect(page.status == .notFound)
                #expect(page.headers[.contentType] == "text/html; charset=utf-8")
                #expect(page.headers[.cacheControl] == "no-store")
                let varies = page.headers[.vary]?.split(separator: ",").map { $0.trimmingPrefix(" ") } ?? []
                #expect(varies.contains("Accept"), "\(varies)")
                #expect(page.text.contains("<h1>Nothing is here</h1>") && !page.text.contains("sohp"))
            }
            let answer = try await client.get("/odata/sohp/", [.accept: "application/json"])
            #expect(answer.status == .notFound && answer.errorCode == "DomainNotFound")
            let sent = try await client.execute(
                uri: "/odata/sohp/Notes",
                method: .post,
                headers: [.accept: "text/html"]
            )
            #expect(sent.status == .notFound && sent.errorCode == "DomainNotFound")
        }
    }

    @Test(arguments: [("text/html", "<h1>This server has another name</h1>"), ("*/*", #""code":"UnknownHost""#)])
    func `a name that is not the server's gets a page for people and an error for programs`(
        accept: String,
        told: String
    ) async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let text =
                "GET /odata/shop/Notes HTTP/1.1\r\nHost: evil.example\r\nAccept: \(accept)\r\nConnection: close\r\n\r\n"
            let answer = try await OwnThread.run { try RawConnection.exchange(text, port: port, endsSending: false) }
            #expect(answer.hasPrefix("HTTP/1.1 421 "), "\(answer)")
            #expect(answer.contains(told), "\(answer)")
            #expect(!answer.contains("evil") && !answer.contains("OwnerId"))
        }
    }
}

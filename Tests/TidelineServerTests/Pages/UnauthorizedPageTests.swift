// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import TidelineServer

struct UnauthorizedPageTests {
    private static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    @Test func `a browser that opens data without a sign-in gets a page, which nobody keeps, with the same challenge`()
        async throws
    {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            for path in ["", "$metadata", "Notes", "Notes(1)", "Notes?$format=json", "Nonsense"] {
                let page = try await client.get("/odata/club/\(path)", [.accept: Self.browser])
                #expect(page.status == .unauthorized, "\(path)")
                #expect(page.headers[.contentType] == "text/html; charset=utf-8")
                #expect(page.headers[.cacheControl] == "no-store")
                #expect(page.headers[values: .wwwAuthenticate] == ["Bearer realm=\"club\""])
                #expect(page.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none';") == true)
                let varies = page.headers[.vary]?.split(separator: ",").map { $0.trimmingPrefix(" ") } ?? []
                #expect(varies.contains("Accept"), "\(varies)")
                for text in ["<h1>Sign in to see this data</h1>", "/auth/club/token", "<a href=\"/#domain-club\">"] {
                    #expect(page.text.contains(text), "\(text)")
                }
                #expect(!page.text.contains("<script") && !page.text.contains("Nonsense"))
            }
            let head = try await client.execute(
                uri: "/odata/club/Notes",
                method: .head,
                headers: [.accept: Self.browser]
            )
            #expect(head.status == .unauthorized && head.text.isEmpty)
            #expect(head.headers[.contentType] == "text/html; charset=utf-8")
        }
    }

    @Test(arguments: [nil, "*/*", "application/json", "application/xml", "text/plain"])
    func `who asks for no page gets the error as JSON`(accept: String?) async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            var fields = HTTPFields()
            fields[.accept] = accept
            let answer = try await client.get("/odata/club/Notes", fields)
            #expect(answer.status == .unauthorized && answer.errorCode == "SignInRequired")
            #expect(answer.headers[.contentType] == "application/json")
            #expect(answer.headers[.wwwAuthenticate] == "Bearer realm=\"club\"")
        }
    }

    @Test func `what changes data, asks for a token or is no data gets the error, also from a browser`() async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            for path in ["/odata/club/$batch", "/odata/club/Notes"] {
                let answer = try await client.execute(
                    uri: path,
                    method: .post,
                    headers: [.accept: Self.browser, .contentType: "application/json"],
                    body: ByteBuffer(string: "{}")
                )
                #expect(answer.status == .unauthorized && answer.errorCode == "SignInRequired", "\(path)")
            }
            let token = try await client.execute(
                uri: "/auth/club/token",
                method: .post,
                headers: [.accept: Self.browser, .contentType: "application/json"],
                body: ByteBuffer(string: #"{"grant_type":"password","username":"ada","password":"wrong horse"}"#)
            )
            #expect(token.status == .unauthorized && token.errorCode == "InvalidCredentials")
        }
    }

    @Test func `a token that is no more, and a password that is wrong, say so in the heading`() async throws {
        let world = try ServerWorld(takesBasic: true)
        try await world.server.application().test(.live) { client in
            let ended = try await client.get(
                "/odata/club/Notes",
                [.accept: Self.browser, .authorization: "Bearer nonsense"]
            )
            #expect(ended.text.contains("<h1>This sign-in has ended</h1>"))
            #expect(ended.headers[values: .wwwAuthenticate].count == 2)
            #expect(ended.headers[values: .wwwAuthenticate].first?.contains("invalid_token") == true)
            let wrong = try await client.get(
                "/odata/club/Notes",
                [.accept: Self.browser, .authorization: "Basic YWRhOndyb25nIGhvcnNl"]
            )
            #expect(wrong.text.contains("<h1>The name or the password is wrong</h1>"))
            #expect(wrong.headers[values: .wwwAuthenticate] == ["Basic realm=\"club\", charset=\"UTF-8\""])
        }
    }

    @Test func `an address with markup for a domain is not repeated`() async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            let page = try await client.get(
                "/odata/%3Cb%3Eclub&lt;/Notes",
                [.accept: Self.browser, .authorization: "Negotiate abc"]
            )
            #expect(page.status == .unauthorized)
            #expect(page.text.contains("A domain shows each of its users"))
            #expect(!page.text.contains("club"))
        }
    }

    @Test func `the page leads to the apps of the domain and to where their users sign in`() async throws {
        let fishing = try FishingWorld()
        try await fishing.server.application().test(.live) { client in
            let page = try await client.get("/odata/fishing/FishingSpots", [.accept: Self.browser])
            #expect(page.text.contains("<a href=\"/apps/fishing/\">Fishing</a>"))
            #expect(!page.text.contains("sixbookmarks"))
        }
        let bookmarks = try SixBookmarksWorld()
        try await bookmarks.server.application().test(.live) { client in
            let page = try await client.get("/odata/sixbookmarks/", [.accept: Self.browser])
            for link in ["/apps/sixbookmarks/", "/service/sixbookmarks/sign-in"] {
                #expect(page.text.contains("<h3><a href=\"\(link)\">"), "\(link)")
            }
        }
    }
}

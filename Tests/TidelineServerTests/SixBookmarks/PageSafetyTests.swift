// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineTestSupport

@testable import TidelineServer

/// What the pages hold against forms that are forged, too many or too large, and the test client.
struct PageSafetyTests {
    let world: SixBookmarksWorld

    init() throws { world = try SixBookmarksWorld() }

    static let right = ["Username": "tideline", "Password": SixBookmarksWorld.password("tideline")]

    @Test func `a form that is not from a page of ours changes nothing`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            #expect(try await browser.send("sign-in", Self.right) == .forbidden)
            try await browser.open("sign-in")
            #expect(try await browser.send("sign-in", Self.right, withHidden: false) == .forbidden)
            let forged = Self.right.merging(["form": String(repeating: "0", count: 64)]) { $1 }
            #expect(try await browser.send("sign-in", forged) == .forbidden)
            // One that a page of ours holds in another browser.
            let other = PageBrowser(client)
            try await other.open("sign-in")
            let foreign = try #require(other.value(of: "form"))
            try await browser.open("sign-in")
            #expect(browser.value(of: "form") != foreign)
            #expect(try await browser.send("sign-in", Self.right.merging(["form": foreign]) { $1 }) == .forbidden)
            try await browser.open("sign-in")
            #expect(
                try await browser.send("sign-in", Self.right, headers: [.origin: "https://evil.example"]) == .forbidden
            )
            if let site = HTTPField.Name("Sec-Fetch-Site") {
                try await browser.open("sign-in")
                #expect(try await browser.send("sign-in", Self.right, headers: [site: "cross-site"]) == .forbidden)
            }
            #expect(browser.cookies["tideline_account"] == nil)
            #expect(browser.page.contains("Nothing was changed."))
            try await browser.open("sign-in")
            browser.forget("tideline_form")
            #expect(try await browser.send("sign-in", Self.right) == .forbidden)
            try await browser.open("sign-in")
            #expect(try await browser.send("sign-in", Self.right) == .ok)
        }
    }

    @Test func `cookies are out of the reach of scripts and of other sites, and pages run none`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("sign-in")
            try await browser.send("sign-in", Self.right)
            #expect(browser.setCookies.count == 2)
            for text in browser.setCookies {
                #expect(text.hasSuffix("; Path=/service/sixbookmarks/; HttpOnly; SameSite=Strict"), "\(text)")
            }
            for path in [
                "", "register", "sign-in", "reset", "users", "users/new", "users/1001", "users/1001/bookmarks", "test",
                "x",
            ] {
                try await browser.open(path)
                #expect(browser.fields[.contentSecurityPolicy]?.hasPrefix("default-src 'none';") == true)
                #expect(browser.fields[.cacheControl] == "no-store")
                #expect(!browser.page.contains("<script"), "\(path)")
                #expect(!browser.page.contains("style=\""), "\(path)")
                #expect(!browser.page.contains("http://") || path == "test" || path.hasSuffix("bookmarks"), "\(path)")
                #expect(!browser.page.contains("{{"), "\(path)")
            }
        }
    }

    @Test(.covers("SB-S09"))
    func `sign-in waits after five failures, and registering after ten forms`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("sign-in")
            for _ in 0..<5 {
                let wrong = ["Username": "tideline", "Password": "wrong"]
                #expect(try await browser.send("sign-in", wrong) == .unprocessableContent)
            }
            #expect(try await browser.send("sign-in", Self.right) == .tooManyRequests)
            #expect(browser.page.contains("Sign-in failed too often."))
            try await browser.open("register")
            for _ in 0..<10 { #expect(try await browser.send("register", [:]) == .unprocessableContent) }
            #expect(try await browser.send("register", [:]) == .tooManyRequests)
        }
    }

    @Test func `a body that is too large, of another type or no text is refused`() async throws {
        try await world.server.application().test(.live) { client in
            let path = "/service/sixbookmarks/register"
            let port = try #require(client.port)
            let head =
                "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: 100000000\r\n\r\n"
            let large = try await OwnThread.run { try RawConnection.exchange(head, port: port, endsSending: false) }
            #expect(large.hasPrefix("HTTP/1.1 413 "), "\(large)")
            #expect(try await client.post(path, "{}").status == .unsupportedMediaType)
            let text = try await client.post(path, "a=%FF", type: "application/x-www-form-urlencoded")
            #expect(text.status == .badRequest)
            #expect(try await client.get("/service/nowhere/").status == .notFound)
            #expect(try await client.get("/service/").status == .notFound)
            let page = try await client.get("/service/nowhere/", [.accept: "text/html,*/*"])
            #expect(page.status == .notFound && page.text.contains("Nothing is here"))
        }
    }

    @Test func `a name of 10 kB is refused with a clear message`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("sign-in")
            try await browser.send("sign-in", Self.right)
            try await browser.open("users/1001/bookmarks")
            let typed = ["name0": String(repeating: "x", count: 10_000), "url0": "https://example.com/"]
            #expect(try await browser.send("users/1001/bookmarks", typed) == .unprocessableContent)
            #expect(browser.page.contains("Bookmark 1 has a name of more than 128 characters."))
        }
    }

    @Test(.covers("SB-F008"))
    func `the test client sends both fields to this server and shows what it answers`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("test")
            for text in ["API logon", "User logon", "Bookmarks", "API logoff"] {
                #expect(browser.page.contains(">\(text)</button>"))
            }
            #expect(
                try await browser.send("test", ["fill": "/services/Bookmarks.svc/Bookmark", "token": "abc"]) == .ok
            )
            #expect(browser.value(of: "url") == "/services/Bookmarks.svc/Bookmark")
            #expect(!browser.page.contains("Answer <span"))
            let typed = ["url": "/healthz", "user": "tideline", "token": "0123", "fill": ""]
            #expect(try await browser.send("test", typed) == .ok)
            #expect(browser.page.contains("200 OK"))
            #expect(browser.page.contains("&quot;status&quot;:&quot;ok&quot;"))
            #expect(browser.value(of: "user") == "tideline")
            let locked = ["url": "/odata/sixbookmarks/Users", "user": "", "token": "", "fill": ""]
            #expect(try await browser.send("test", locked) == .ok)
            #expect(browser.page.contains("401 Unauthorized"))
            #expect(browser.page.contains("SignInRequired"))
            #expect(browser.focused == ["<h2 id=\"answer-title\" tabindex=\"-1\" autofocus>"])
        }
    }

    @Test func `the test client says at its field what cannot be sent`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("test")
            let elsewhere = ["url": "http://example.com/", "user": "", "token": ""]
            #expect(try await browser.send("test", elsewhere) == .unprocessableContent)
            #expect(browser.page.contains("<p class=\"error\" id=\"field-url-error\">Enter a path of this server"))
            let broken = ["url": "/healthz", "user": "tideline", "token": "a\nb"]
            #expect(try await browser.send("test", broken) == .unprocessableContent)
            #expect(browser.page.contains("<p class=\"error\" id=\"field-token-error\">This has a character"))
            #expect(!browser.page.contains("id=\"field-user-error\""))
        }
    }

    @Test(arguments: [
        "http://example.com/", "//example.com/", "ftp://localhost/", "healthz", "/service/sixbookmarks/test",
        "/odata/sixbookmarks/$events", "", "http://localhost:1/healthz", "/a\r\nb",
    ])
    func `the test client calls no other server, and not itself`(url: String) {
        #expect(TestClientPage.target(url, authority: "localhost:8080", base: "/service/sixbookmarks/") == nil)
    }

    @Test(arguments: [
        ("/healthz", "/healthz"), (" http://LOCALHOST:8080/healthz?a=b c#d ", "/healthz?a=b%20c"),
        ("/ü\"", "/%C3%BC%22"), ("/a%20b?$filter=x", "/a%20b?$filter=x"),
    ])
    func `the test client writes an address as a browser does`(url: String, target: String) {
        #expect(TestClientPage.target(url, authority: "localhost:8080", base: "/service/sixbookmarks/") == target)
    }

    @Test(.covers("SB-S01", "SB-S03"))
    func `no line of the log holds a password, a token or a link`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("sign-in")
            try await browser.send("sign-in", Self.right)
            try await browser.open("test")
            let typed = [
                "url": "/services/apirest.aspx?operation=logon&password=secret1", "user": "tideline",
                "token": "secret2",
            ]
            try await browser.send("test", typed.merging(["fill": ""]) { $1 })
            try await browser.open("reset?token=secret3")
            let secrets = ["secret1", "secret2", "secret3", Self.right["Password"] ?? ""] + browser.cookies.values
            #expect(!world.log.lines.isEmpty)
            for secret in secrets { #expect(!world.log.lines.contains { $0.contains(secret) }, "\(secret)") }
        }
    }

    @Test func `a limit takes so many forms at once, and then one each interval`() {
        let clock = ManualInstant()
        let limit = FormLimit(burst: 2, interval: .seconds(10), now: { clock.now })
        #expect(limit.admits("a"))
        #expect(limit.admits("a"))
        #expect(!limit.admits("a"))
        #expect(limit.admits("b"))
        clock.pass(.seconds(9))
        #expect(!limit.admits("a"))
        clock.pass(.seconds(1))
        #expect(limit.admits("a"))
        #expect(!limit.admits("a"))
        clock.pass(.seconds(1000))
        #expect(limit.admits("a"))
        #expect(limit.admits("a"))
        #expect(!limit.admits("a"))
    }
}

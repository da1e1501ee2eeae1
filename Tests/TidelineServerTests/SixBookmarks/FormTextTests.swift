// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdTesting
import Testing
import TidelineTestSupport

@testable import TidelineServer

/// What the forms of the service's pages do with texts that are too long, with passwords, and with what was done.
struct FormTextTests {
    let world: SixBookmarksWorld

    init() throws { world = try SixBookmarksWorld() }

    /// A browser that is signed in to an account.
    private func browser(_ client: any TestClientProtocol) async throws -> PageBrowser {
        let browser = PageBrowser(client)
        try await browser.open("sign-in")
        let right = ["Username": "tideline", "Password": SixBookmarksWorld.password("tideline")]
        try await browser.send("sign-in", right)
        return browser
    }

    @Test(
        .covers("SB-F065"),
        arguments: ["register", "sign-in", "reset", "users/new", "users/1001", "users/1001/bookmarks", "test"]
    )
    func `no field lets a browser cut what is pasted into it`(path: String) async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            #expect(try await browser.open(path) == .ok)
            #expect(browser.page.contains("<input type=\"text\""))
            #expect(!browser.page.contains("maxlength"))
        }
    }

    @Test(
        .covers("SB-F065"),
        arguments: [
            ("Username", 65, "Username is longer than 64 characters."),
            ("FirstName", 129, "First name is longer than 128 characters."),
            ("LastName", 129, "Last name is longer than 128 characters."),
            ("Email", 255, "Enter an e-mail address, such as ann@example.com."),
        ]
    )
    func `a text of a user that is too long is told at its field and stays whole`(
        field: String,
        count: Int,
        message: String
    ) async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            let text = String(repeating: "n", count: count)
            var typed = ["Username": "mary", "Password": "the sea, the sea", "IsActive": "1"]
            typed[field] = text
            for path in ["users/new", "users/1001"] {
                try await browser.open(path)
                #expect(try await browser.send(path, typed) == .unprocessableContent)
                #expect(browser.page.contains("<a href=\"#field-\(field)\">\(message)</a>"))
                #expect(browser.page.contains("<p class=\"error\" id=\"field-\(field)-error\">\(message)</p>"))
                #expect(browser.page.contains("One thing is not right yet"))
                #expect(browser.value(of: field) == text)
            }
        }
    }

    @Test(.covers("SB-F065"))
    func `a URL of the test client that is too long is told so`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            try await browser.open("test")
            let url = "/" + String(repeating: "a", count: 2048)
            #expect(try await browser.send("test", ["url": url, "user": "", "token": ""]) == .unprocessableContent)
            #expect(browser.page.contains("The URL is longer than 2048 bytes, the most that is sent."))
            #expect(browser.value(of: "url") == url)
        }
    }

    @Test(.covers("SB-F001", "SB-S14"), arguments: [(261, true), (1024, true), (1025, false)])
    func `a password of up to 1024 bytes is taken whole, and a longer one is told at its field`(
        count: Int,
        isTaken: Bool
    ) async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("register")
            let password = String(repeating: "p", count: count)
            let typed = AccountPagesTests.typed.merging(["Password": password, "Confirmation": password]) { $1 }
            #expect(try await browser.send("register", typed) == (isTaken ? .ok : .unprocessableContent))
            let problem = "id=\"field-Password-error\">The password is too long. Choose a shorter one."
            #expect(browser.page.contains(problem) == !isTaken)
            // The second line is the same, and says nothing of its own.
            #expect(!browser.page.contains("id=\"field-Confirmation-error\""))
            guard isTaken else { return }
            let other = PageBrowser(client)
            try await other.open("sign-in")
            #expect(try await other.send("sign-in", ["Username": "harbour", "Password": password]) == .ok)
            #expect(other.path == "/service/sixbookmarks/users")
        }
    }

    @Test func `a form that is shown again says that a password is to be typed again, where there was one`()
        async throws
    {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            let again = "Type it again: passwords are not sent back."
            try await browser.open("users/new")
            #expect(!browser.page.contains(again))
            #expect(try await browser.send("users/new", ["Username": "mary"]) == .unprocessableContent)
            #expect(!browser.page.contains(again))
            let typed = ["Username": "", "Password": "the sea, the sea"]
            #expect(try await browser.send("users/new", typed) == .unprocessableContent)
            #expect(browser.page.contains("id=\"field-Password-help\">At least 8 characters. \(again)</p>"))
            try await browser.open("sign-in")
            #expect(!browser.page.contains(again))
            let wrong = ["Username": "tideline", "Password": "wrong"]
            #expect(try await browser.send("sign-in", wrong) == .unprocessableContent)
            #expect(browser.page.contains("<p class=\"help\" id=\"field-Password-help\">\(again)</p>"))
            #expect(browser.page.contains("aria-describedby=\"field-Password-error field-Password-help\""))
            try await browser.open("register")
            var half = AccountPagesTests.typed
            half["City"] = ""
            #expect(try await browser.send("register", half) == .unprocessableContent)
            #expect(browser.page.contains("id=\"field-Password-help\">At least 8 characters. \(again)"))
            #expect(browser.page.contains("id=\"field-Confirmation-help\">\(again)"))
        }
    }

    @Test func `what was done is told on the page that comes next, and not when that is loaded again`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            try await browser.open("users/new")
            let typed = ["Username": "mary", "Password": "the sea, the sea", "IsActive": "1"]
            #expect(try await browser.send("users/new", typed) == .ok)
            #expect(browser.page.contains("The user is added."))
            #expect(browser.cookies["tideline_done"] == nil)
            #expect(
                browser.setCookies.contains(
                    "tideline_done=added; Max-Age=60; Path=/service/sixbookmarks/; HttpOnly; SameSite=Strict"
                )
            )
            #expect(try await browser.open("users?done=added") == .ok)
            #expect(!browser.page.contains("The user is added."))
            #expect(browser.page.contains(">mary</a>"))
            // Nor does a link to the page say that something was done.
            #expect(try await browser.open("users?done=saved") == .ok)
            #expect(!browser.page.contains("class=\"notice\""))
        }
    }
}

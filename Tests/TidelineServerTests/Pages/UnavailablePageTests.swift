// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import TidelineServer

struct UnavailablePageTests {
    @Test func `a domain that is away for a while is told as that, and its pages are there again after it`()
        async throws
    {
        let world = try SixBookmarksWorld()
        let file = world.data.file(domain: "sixbookmarks")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("sign-in")
            let typed = PageSafetyTests.right.merging(["form": try #require(browser.value(of: "form"))]) { $1 }
            try "nonsense".write(toFile: file, atomically: true, encoding: .utf8)
            for path in ["", "users", "users/1001", "sign-in?next=users"] {
                #expect(try await browser.open(path) == .serviceUnavailable, "\(path)")
                #expect(browser.page.contains("<h1>Not available now</h1>"))
                #expect(browser.page.contains("<a href=\"\">Try again</a>"))
                #expect(browser.page.contains("<code>DomainUnavailable</code>"))
                #expect(browser.fields[.retryAfter] == "10" && browser.fields[.cacheControl] == "no-store")
            }
            #expect(try await browser.send("sign-in", typed) == .serviceUnavailable)
            #expect(browser.page.contains("Nothing was saved. Go back and send it once more"))
            #expect(!browser.page.contains("Try again"))
            let program = try await client.get("/service/sixbookmarks/users")
            #expect(program.status == .serviceUnavailable && program.errorCode == "DomainUnavailable")
            // One that is not there at all is still none.
            #expect(try await client.get("/service/nowhere/users").status == .notFound)
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await browser.send("sign-in", typed) == .ok)
            #expect(browser.path == "/service/sixbookmarks/users")
        }
    }
}

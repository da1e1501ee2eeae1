// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineTestSupport

@testable import TidelineServer

/// The users of an account and their bookmarks, in the service's own pages.
struct UserPagesTests {
    let world: SixBookmarksWorld

    init() throws { world = try SixBookmarksWorld() }

    /// A browser that is signed in to an account.
    private func browser(_ client: any TestClientProtocol, _ account: String = "tideline") async throws -> PageBrowser {
        let browser = PageBrowser(client)
        try await browser.open("sign-in")
        try await browser.send("sign-in", ["Username": account, "Password": SixBookmarksWorld.password(account)])
        return browser
    }

    @Test(.covers("SB-F004", "SB-F005"))
    func `a user is added, signs in, is made inactive and is refused`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            try await browser.open("users/new")
            #expect(
                try await browser.send("users/new", ["Username": "", "Password": "short"]) == .unprocessableContent
            )
            #expect(browser.page.contains("Username is missing."))
            #expect(browser.page.contains("The password is too short. Choose at least 8 characters."))
            let typed = ["Username": "mary", "Password": "the sea, the sea", "FirstName": "Mary", "IsActive": "1"]
            #expect(try await browser.send("users/new", typed) == .ok)
            #expect(browser.path == "/service/sixbookmarks/users?done=added")
            let link = try #require(browser.page.firstMatch(of: /href="\/service\/sixbookmarks\/(users\/\d+)">mary</))
            #expect(browser.page.contains("3 users of the account tideline"))
            let pair = try await client.signInSix("tideline/mary", password: "the sea, the sea")
            #expect(pair.status == .ok)
            try await browser.open(String(link.1))
            #expect(browser.page.contains("Signs in as <code>tideline/mary</code>"))
            #expect(browser.page.contains("Manage this user's bookmarks"))
            #expect(browser.value(of: "FirstName") == "Mary")
            #expect(browser.page.contains("name=\"IsActive\" value=\"1\" checked"))
            // A box that is not ticked is not sent.
            #expect(try await browser.send(String(link.1), ["Username": "mary", "FirstName": "Mary"]) == .ok)
            #expect(browser.page.contains("Inactive"))
            #expect(try await client.signInSix("tideline/mary", password: "the sea, the sea").status == .unauthorized)
            let marks = try await client.read("Bookmarks", pair.json["access_token"] as? String ?? "")
            #expect(marks.status == .unauthorized)
        }
    }

    @Test(.covers("SB-F004")) func `a user with the longest name signs in, whatever its letters`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            // 64 characters of four bytes each.
            let name = String(repeating: "🌊", count: 64)
            try await browser.open("users/new")
            let typed = ["Username": name, "Password": "the sea, the sea", "IsActive": "1"]
            #expect(try await browser.send("users/new", typed) == .ok)
            #expect(browser.page.contains("The user is added."))
            let pair = try await client.signInSix("tideline/\(name)", password: "the sea, the sea")
            #expect(pair.status == .ok)
            #expect(try await client.read("Bookmarks", pair.json["access_token"] as? String ?? "").status == .ok)
            let longer = try await client.signInSix("tideline/" + String(repeating: "n", count: 1016), password: "x")
            #expect(longer.status == .unauthorized)
        }
    }

    @Test(.covers("SB-F004")) func `users beyond the first page of the service are listed and counted`() async throws {
        // A page has 5,000 rows at the most; ada and grace are there already.
        try world.run(
            """
            WITH RECURSIVE Numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM Numbers WHERE n < 5001)
            INSERT INTO Users (UserId, ApiAccountId, Username) SELECT 10000 + n, 1, 'user' || n FROM Numbers
            """
        )
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            try await browser.open("users")
            #expect(browser.page.contains("5003 users of the account tideline"))
            // The first and the last by name.
            for name in ["ada", "user999"] { #expect(browser.page.contains(">\(name)<")) }
        }
    }

    @Test func `an account without users is told how to add the first`() async throws {
        try world.run("PRAGMA foreign_keys = ON; DELETE FROM Users WHERE ApiAccountId = 2")
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client, "other")
            #expect(browser.page.contains("No users yet"))
            #expect(browser.page.contains("href=\"/service/sixbookmarks/users/new\""))
        }
    }

    @Test(.covers("SB-F006"))
    func `six bookmarks are changed in one form, and the user's next read has them`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            #expect(try await browser.open("users/1001/bookmarks") == .ok)
            #expect(browser.value(of: "name0") == "Mark 0")
            #expect(
                browser.page.contains("<label for=\"field-url5\">Address <span class=\"unseen\">of bookmark 6</span>")
            )
            #expect(browser.value(of: "url2") == "https://example.com/1001/2")
            #expect(browser.value(of: "name5") == "")
            let typed = [
                "name0": "First", "url0": "https://example.com/1001/0", "name1": "", "url1": "", "name2": "Mark 2",
                "url2": "https://example.com/1001/2", "name3": "", "url3": "", "name4": "", "url4": "",
                "name5": "Last", "url5": "example.com/last",
            ]
            #expect(try await browser.send("users/1001/bookmarks", typed) == .ok)
            #expect(browser.page.contains("The bookmarks are saved."))
            let token = try await client.token("ada")
            let rows = try await client.read("Bookmarks?$orderby=Ordinal", token).json["value"] as? [[String: Any]]
            let found = (rows ?? []).map { "\($0["Ordinal"] ?? "") \($0["Name"] ?? "") \($0["Url"] ?? "")" }
            #expect(
                found == [
                    "0 First https://example.com/1001/0", "2 Mark 2 https://example.com/1001/2",
                    "5 Last https://example.com/last",
                ]
            )
            #expect(rows?.first?["BookmarkId"] as? Int == 10010)
        }
    }

    @Test(.covers("SB-S10"), arguments: ["javascript:alert(1)", "file:///etc/passwd", "ftp://example.com"])
    func `an address that no browser should open is refused, and what was typed stays`(address: String) async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            try await browser.open("users/1001/bookmarks")
            let typed = ["name3": "<script>alert(1)</script>", "url3": address]
            let kept = ["name0": "Mark 0", "url0": "https://example.com/1001/0"]
            #expect(
                try await browser.send("users/1001/bookmarks", typed.merging(kept) { $1 }) == .unprocessableContent
            )
            #expect(browser.page.contains("Bookmark 4 has an address that does not begin with http:// or https://."))
            #expect(browser.value(of: "url3") == address)
            #expect(browser.value(of: "name3") == "<script>alert(1)</script>")
            #expect(!browser.page.contains("<script"))
            let token = try await client.token("ada")
            #expect(try await client.read("Bookmarks/$count", token).text == "3")
        }
    }

    @Test(
        .covers("SB-F152"),
        arguments: [
            "https://", "HTTP://", "https:///path", "https://:443/", "https://ann@/", "https://?q", "https://\\x",
        ]
    )
    func `an address without a host is told what is missing, and stays in its field`(address: String) async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            try await browser.open("users/1001/bookmarks")
            let typed = ["name3": "Mark", "url3": address]
            #expect(try await browser.send("users/1001/bookmarks", typed) == .unprocessableContent)
            #expect(
                browser.page.contains(
                    "Bookmark 4 has an address without a host: after https:// comes the name of a site, like example.com."
                )
            )
            #expect(browser.value(of: "url3") == address)
            let token = try await client.token("ada")
            #expect(try await client.read("Bookmarks/$count", token).text == "3")
        }
    }

    @Test func `a form that comes after the sign-out saves nothing, says so, and can be sent again`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            try await browser.open("users/new")
            let form = try #require(browser.value(of: "form"))
            let typed = ["Username": "mary", "Password": "the sea, the sea", "IsActive": "1", "form": form]
            browser.forget("tideline_account")
            #expect(try await browser.send("users/new", typed) == .forbidden)
            #expect(browser.path == "/service/sixbookmarks/users/new")
            #expect(browser.page.contains("<h1>You are signed out</h1>"))
            #expect(try await client.signInSix("tideline/mary", password: "the sea, the sea").status == .unauthorized)
            try await browser.open("sign-in")
            let right = ["Username": "tideline", "Password": SixBookmarksWorld.password("tideline")]
            #expect(try await browser.send("sign-in", right) == .ok)
            #expect(try await browser.send("users/new", typed) == .ok)
            #expect(browser.path == "/service/sixbookmarks/users?done=added")
        }
    }

    @Test(.covers("SB-F007"))
    func `a page of one account adds no user to another that signed in meanwhile, but asks`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            try await browser.open("users/new")
            let form = try #require(browser.value(of: "form"))
            #expect(browser.value(of: "account") == "tideline")
            // In another window of the same browser.
            try await browser.open("sign-in")
            let other = ["Username": "other", "Password": SixBookmarksWorld.password("other")]
            #expect(try await browser.send("sign-in", other) == .ok)
            let typed = ["Username": "mary", "Password": "the sea, the sea", "IsActive": "1"]
            let old = typed.merging(["form": form, "account": "tideline"]) { $1 }
            #expect(try await browser.send("users/new", old) == .conflict)
            #expect(browser.page.contains("Another account signed in meanwhile: other."))
            #expect(browser.value(of: "Username") == "mary")
            #expect(try await client.signInSix("other/mary", password: "the sea, the sea").status == .unauthorized)
            #expect(try await browser.send("users/new", typed) == .ok)
            #expect(try await client.signInSix("other/mary", password: "the sea, the sea").status == .ok)
        }
    }

    @Test func `what somebody else changed meanwhile is told, and what was typed stays`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            try await browser.open("users/1001/bookmarks")
            try world.run("UPDATE Bookmarks SET Name = 'Theirs' WHERE BookmarkId = 10010")
            var typed: [String: String] = [:]
            for place in 0..<3 { typed["name\(place)"] = "Mine \(place)" }
            for place in 0..<3 { typed["url\(place)"] = "https://example.com/\(place)" }
            #expect(try await browser.send("users/1001/bookmarks", typed) == .conflict)
            #expect(browser.page.contains("Theirs"))
            #expect(browser.value(of: "name0") == "Mine 0")
            #expect(try await browser.send("users/1001/bookmarks", typed) == .ok)
            let token = try await client.token("ada")
            #expect(try await client.read("Bookmarks(10010)/Name/$value", token).text == "Mine 0")

            try await browser.open("users/1001")
            try world.run("UPDATE Users SET FirstName = 'Theirs' WHERE UserId = 1001")
            let user = ["Username": "ada", "FirstName": "Mine", "IsActive": "1"]
            #expect(try await browser.send("users/1001", user) == .conflict)
            #expect(browser.page.contains("Somebody else changed this user meanwhile"))
            #expect(browser.value(of: "FirstName") == "Mine")
            #expect(try await browser.send("users/1001", user) == .ok)
        }
    }

    @Test func `what was done has the focus when the page opens, and so has what is wrong with no field`() async throws
    {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            try await browser.open("users/1001/bookmarks")
            #expect(browser.focused.count == 1 && browser.focused.first?.contains("id=\"field-name0\"") == true)
            var typed: [String: String] = [:]
            for place in 0..<3 { typed["name\(place)"] = "Mark \(place)" }
            for place in 0..<3 { typed["url\(place)"] = "https://example.com/1001/\(place)" }
            #expect(try await browser.send("users/1001/bookmarks", typed) == .ok)
            #expect(browser.path == "/service/sixbookmarks/users/1001/bookmarks?done=bookmarks")
            #expect(browser.focused == ["<p class=\"notice\" role=\"status\" tabindex=\"-1\" autofocus>"])

            try await browser.open("users/1001")
            try world.run("UPDATE Users SET FirstName = 'Theirs' WHERE UserId = 1001")
            #expect(try await browser.send("users/1001", ["Username": "ada", "IsActive": "1"]) == .conflict)
            #expect(browser.focused.count == 1 && browser.focused.first?.hasPrefix("<div class=\"problems\"") == true)
        }
    }

    @Test(.covers("SB-F007"))
    func `pages of another account's users are not there`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            for path in ["users/2001", "users/2001/bookmarks", "users/9", "users/x", "users/1001/x", "users/01001"] {
                #expect(try await browser.open(path) == .notFound, "\(path)")
            }
            try await browser.open("users/1001")
            let forged = ["Username": "taken", "Password": "a new password", "IsActive": "1", "ApiAccountId": "1"]
            #expect(try await browser.send("users/2001", forged) == .notFound)
            #expect(
                try await browser.send("users/2001/bookmarks", ["name0": "x", "url0": "https://x.example"]) == .notFound
            )
            #expect(try await client.signInSix("other/ada").status == .ok)
        }
    }

    @Test func `a name that another user of the account has is refused at its field`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            try await browser.open("users/1002")
            #expect(
                try await browser.send("users/1002", ["Username": "ADA", "IsActive": "1"]) == .unprocessableContent
            )
            #expect(browser.page.contains("This name is taken. Choose another one."))
            #expect(browser.value(of: "Username") == "ADA")
            try await browser.open("users/new")
            let other = ["Username": "ada", "Password": "a new password", "IsActive": "1"]
            #expect(try await browser.send("users/new", other) == .unprocessableContent)
            #expect(browser.page.contains("This name is taken. Choose another one."))
        }
    }
}

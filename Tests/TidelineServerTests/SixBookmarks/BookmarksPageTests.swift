// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineTestSupport

@testable import TidelineServer

/// The form of a user's six bookmarks: what nobody touched stays as it is, and what the service fails in is told.
struct BookmarksPageTests {
    private static let path = "users/1001/bookmarks"

    /// A browser that is signed in and looks at the form.
    private func browser(_ client: any TestClientProtocol) async throws -> PageBrowser {
        let browser = PageBrowser(client)
        try await browser.open("sign-in")
        try await browser.send("sign-in", PageSafetyTests.right)
        #expect(try await browser.open(Self.path) == .ok)
        return browser
    }

    /// The form as it is shown, with some of its lines typed anew.
    private func form(_ browser: PageBrowser, _ typed: [String: String]) -> [String: String] {
        var all: [String: String] = [:]
        for place in 0...5 {
            for name in ["name\(place)", "url\(place)"] { all[name] = browser.value(of: name) ?? "" }
        }
        return all.merging(typed) { $1 }
    }

    /// Place, name and address of each of the user's bookmarks.
    private func rows(_ client: any TestClientProtocol) async throws -> [String] {
        let answer = try await client.read("Bookmarks?$orderby=Ordinal", try await client.token("ada"))
        let rows = answer.json["value"] as? [[String: Any]] ?? []
        return rows.map { row in
            let place = row["Ordinal"] as? Int ?? -1
            return "\(place)|\(row["Name"] as? String ?? "none")|\(row["Url"] as? String ?? "none")"
        }
    }

    @Test(.covers("SB-F006"))
    func `rows that nobody touched stay as another program stored them, and keep nobody from saving`() async throws {
        let world = try SixBookmarksWorld()
        try world.run("UPDATE Bookmarks SET Name = '  padded ', Url = 'https://example.com/ ' WHERE BookmarkId = 10010")
        try world.run("UPDATE Bookmarks SET Name = '', Url = NULL WHERE BookmarkId = 10011")
        try await world.server.application().test(.live) { client in
            let before = try await rows(client)
            #expect(before[0] == "0|  padded |https://example.com/ " && before[1] == "1||none")
            let browser = try await browser(client)
            #expect(try await browser.send(Self.path, form(browser, ["name2": "Third"])) == .ok)
            #expect(browser.page.contains("The bookmarks are saved."))
            #expect(try await rows(client) == [before[0], before[1], "2|Third|https://example.com/1001/2"])
        }
    }

    @Test(.covers("SB-F006"))
    func `of a row that is changed in one line the other stays as another program stored it`() async throws {
        let world = try SixBookmarksWorld()
        try world.run("UPDATE Bookmarks SET Url = NULL WHERE BookmarkId = 10010")
        try world.run("UPDATE Bookmarks SET Name = ' padded' WHERE BookmarkId = 10011")
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            let typed = ["name0": "First", "url1": "https://example.com/second"]
            #expect(try await browser.send(Self.path, form(browser, typed)) == .ok)
            let found = try await rows(client)
            #expect(found.prefix(2) == ["0|First|none", "1| padded|https://example.com/second"])
        }
    }

    @Test func `a line that is cleared in one half is still told`() async throws {
        let world = try SixBookmarksWorld()
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            let status = try await browser.send(Self.path, form(browser, ["url0": "", "name3": "Alone"]))
            #expect(status == .unprocessableContent)
            #expect(browser.page.contains("Bookmark 1 has no address."))
            #expect(browser.page.contains("Bookmark 4 has no address."))
        }
    }

    @Test func `a database that is busy is told with its status, and what was typed stays`() async throws {
        let world = try SixBookmarksWorld(busyTimeout: .milliseconds(20))
        try await world.server.application().test(.live) { client in
            let browser = try await browser(client)
            let typed = form(browser, ["name0": "Typed"])
            let status = try await world.whileBusy { try await browser.send(Self.path, typed) }
            #expect(status == .serviceUnavailable)
            #expect(browser.page.contains("The service could not save this now. What you typed is still here"))
            #expect(browser.page.contains("Code to report: Busy."))
            #expect(browser.value(of: "name0") == "Typed")
            #expect(!browser.page.contains("Bookmark 1:"))
            // It is no fault of a field.
            #expect(browser.focused.count == 1 && browser.focused.first?.hasPrefix("<div class=\"problems\"") == true)
            #expect(try await browser.send(Self.path, typed) == .ok)
            #expect(try await rows(client).first == "0|Typed|https://example.com/1001/0")

            try await browser.open("users/new")
            let user = ["Username": "mary", "Password": "the sea, the sea", "IsActive": "1"]
            let added = try await world.whileBusy { try await browser.send("users/new", user) }
            #expect(added == .serviceUnavailable)
            #expect(browser.value(of: "Username") == "mary")
            #expect(browser.page.contains("The service could not save this now."))
            try await browser.open("users/1001")
            let edited = ["Username": "ada", "FirstName": "Typed", "IsActive": "1"]
            let changed = try await world.whileBusy { try await browser.send("users/1001", edited) }
            #expect(changed == .serviceUnavailable)
            #expect(browser.value(of: "FirstName") == "Typed")
            #expect(try await browser.send("users/1001", edited) == .ok)
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineAccounts
import TidelineModel
import TidelineTestSupport

@testable import TidelineServer

/// Registering an account, signing in to it and out of it, and another password by mail.
struct AccountPagesTests {
    let world: SixBookmarksWorld

    init() throws { world = try SixBookmarksWorld() }

    static let typed = [
        "Username": "harbour", "Password": " pass word 1 ", "Confirmation": " pass word 1 ", "FirstName": "Ann",
        "LastName": "O'Neil", "Company": "Harbour & Sons", "Address1": "1 Pier", "Address2": "Shed 2",
        "Address3": "Door 3", "City": "Bern", "Region": "BE", "PostalCode": "3000", "Country": "Switzerland",
        "Email": "ann@example.com", "WantsNews": "1",
    ]

    @Test(.covers("SB-F001", "SB-F002", "SB-S14"))
    func `registering signs in at once, makes no users, and keeps the password as it was typed`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            #expect(try await browser.open("register") == .ok)
            #expect(browser.page.contains("<option selected>United States</option>"))
            #expect(try await browser.send("register", Self.typed) == .ok)
            #expect(browser.path == "/service/sixbookmarks/users?done=registered")
            #expect(browser.page.contains("No users yet"))
            #expect(browser.page.contains("Add a new user"))
            let token = try await client.signInSix("harbour", password: " pass word 1 ", directory: "accounts")
            let access = token.json["access_token"] as? String ?? ""
            let rows = try await client.read("ApiAccounts", access).json["value"] as? [[String: Any]]
            let row = try #require(rows?.first)
            for (name, value) in Self.typed where !["Password", "Confirmation", "WantsNews"].contains(name) {
                #expect(row[name] as? String == value, "\(name)")
            }
            #expect(row["WantsNews"] as? Bool == true)
            #expect(try await client.read("Users/$count", access).text == "0")
            #expect(
                try await client.signInSix("harbour", password: "pass word 1", directory: "accounts").status
                    == .unauthorized
            )
        }
    }

    /// A trigger that lets no password be stored.
    private static func spoil(_ table: String) -> String {
        "CREATE TRIGGER Spoil\(table) BEFORE UPDATE OF PasswordHash ON \(table) BEGIN SELECT raise(ABORT, 'x'); END"
    }

    @Test func `where the password cannot be stored nothing is, and the name is free when it can be`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("register")
            try world.run(Self.spoil("ApiAccounts"))
            #expect(try await browser.send("register", Self.typed).code >= 400)
            try world.run("DROP TRIGGER SpoilApiAccounts")
            try await browser.open("register")
            #expect(try await browser.send("register", Self.typed) == .ok)
            #expect(browser.path == "/service/sixbookmarks/users?done=registered")
            let mary = ["Username": "mary", "Password": "the sea, the sea", "IsActive": "1"]
            try await browser.open("users/new")
            try world.run(Self.spoil("Users"))
            #expect(try await browser.send("users/new", mary).code >= 400)
            try world.run("DROP TRIGGER SpoilUsers")
            try await browser.open("users/new")
            #expect(try await browser.send("users/new", mary) == .ok)
            #expect(browser.path == "/service/sixbookmarks/users?done=added")
            #expect(try await client.signInSix("harbour/mary", password: "the sea, the sea").status == .ok)
        }
    }

    @Test(.covers("SB-F001"))
    func `what is missing is said at its field and at the top, and what was typed stays`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("register")
            #expect(try await browser.send("register", ["Country": "Switzerland"]) == .unprocessableContent)
            #expect(browser.page.contains("13 things are not right yet"))
            for line in Registration.lines where line.name != "Country" {
                #expect(
                    browser.page.contains("<a href=\"#field-\(line.name)\">\(line.label) is missing.</a>"),
                    "\(line.name)"
                )
                #expect(browser.page.contains("id=\"field-\(line.name)-error\""), "\(line.name)")
            }
            #expect(browser.page.contains("<option selected>Switzerland</option>"))
            var typed = Self.typed
            typed["Email"] = "ann@example"
            typed["Confirmation"] = "another"
            #expect(try await browser.send("register", typed) == .unprocessableContent)
            #expect(browser.page.contains("2 things are not right yet"))
            #expect(browser.page.contains("The two passwords are not the same."))
            #expect(browser.value(of: "LastName") == "O'Neil")
            #expect(browser.value(of: "Company") == "Harbour & Sons")
            // The first that is wrong has the focus, and no page repeats a password.
            #expect(browser.focused.count == 1)
            #expect(browser.focused.first?.contains("id=\"field-Confirmation\"") == true)
            #expect(!browser.page.contains("pass word 1"))
        }
    }

    @Test(arguments: ["tideline", "TideLine", "a/b", "", "ann\u{7}", "\u{202E}nna", "tide\u{200B}line"])
    func `a name that is taken or is none is refused, and nothing is stored`(name: String) async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("register")
            #expect(
                try await browser.send("register", Self.typed.merging(["Username": name]) { $1 })
                    == .unprocessableContent
            )
            #expect(browser.page.contains("id=\"field-Username-error\""))
            #expect(browser.value(of: "FirstName") == "Ann")
            #expect(browser.cookies["tideline_account"] == nil)
        }
    }

    @Test func `signing out ends the session on the server too`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("users")
            #expect(browser.path == "/service/sixbookmarks/sign-in?next=users")
            // What is missing is told, and is no failed try.
            for _ in 0..<6 { #expect(try await browser.send("sign-in", [:]) == .unprocessableContent) }
            #expect(browser.page.contains("Username is missing.") && browser.page.contains("Password is missing."))
            #expect(
                try await browser.send("sign-in", ["Username": "tideline", "Password": ""]) == .unprocessableContent
            )
            #expect(browser.page.contains("One thing is not right yet"))
            let wrong = ["Username": "tideline", "Password": "wrong"]
            #expect(try await browser.send("sign-in", wrong) == .unprocessableContent)
            #expect(browser.page.contains("The username or the password is not right."))
            #expect(browser.value(of: "Username") == "tideline")
            let right = ["Username": "tideline", "Password": SixBookmarksWorld.password("tideline")]
            #expect(try await browser.send("sign-in", right) == .ok)
            #expect(browser.path == "/service/sixbookmarks/users")
            #expect(browser.page.contains(">grace</a>"))
            let kept = try #require(browser.cookies["tideline_account"])
            #expect(try await browser.send("sign-out", [:]) == .ok)
            #expect(browser.page.contains("You are signed out."))
            #expect(browser.cookies["tideline_account"] == nil)
            let stolen = try await client.get("/service/sixbookmarks/users", [.cookie: "tideline_account=\(kept)"])
            #expect(stolen.status == .seeOther)
        }
    }

    @Test(.covers("SB-F003"))
    func `a link that comes by mail sets another password, once`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("reset")
            try await browser.send("reset", ["Username": "nobody"])
            let said = browser.page.replacing(/[0-9a-f]{64}/, with: "")
            try await browser.open("reset")
            #expect(try await browser.send("reset", ["Username": "Tideline"]) == .ok)
            #expect(browser.page.replacing(/[0-9a-f]{64}/, with: "") == said)
            // A page of its own, which can be loaded again.
            #expect(browser.path == PageBrowser.base + "reset?done=mail")
            #expect(browser.page.contains("<h1>Check your mail</h1>"))
            let mail = try #require(await world.mails.next())
            #expect(mail.to == "tideline@example.com")
            let link = try #require(
                mail.text.firstMatch(of: /http:\/\/[^\/]*\/service\/sixbookmarks\/(reset\?token=\S+)/)
            )
            #expect(try await browser.open(String(link.1)) == .ok)
            let short = ["Password": "short", "Confirmation": "other"]
            #expect(try await browser.send("reset", short) == .unprocessableContent)
            #expect(browser.page.contains("The password is too short. Choose at least 8 characters."))
            let good = ["Password": "a new password", "Confirmation": "a new password"]
            #expect(try await browser.send("reset", good) == .ok)
            #expect(browser.page.contains("The password is changed."))
            #expect(try await browser.open(String(link.1)) == .gone)
            #expect(try await client.signInSix("tideline", directory: "accounts").status == .unauthorized)
            #expect(
                try await client.signInSix("tideline", password: "a new password", directory: "accounts").status == .ok
            )
        }
    }

    @Test func `a link of another form, of another account or too old opens nothing`() async throws {
        let accounts = try world.directory("accounts")
        let key = [UInt8](repeating: 1, count: 32)
        let token = try #require(try world.accounts.resetToken(id: .integer(1), directory: accounts, key: key))
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            let parts = token.split(separator: ".")
            for text in [
                token, "x", "..", "a.b.c", "\(parts[0]).9999999999.\(parts[2])", String(repeating: "a", count: 2000),
            ] {
                let status = try await browser.open("reset?token=\(text)")
                #expect(status == .gone, "\(text)")
                #expect(browser.page.contains("This link opens nothing"))
            }
        }
    }
}

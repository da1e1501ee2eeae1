// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineAccounts
import TidelineModel
import TidelineOData
import TidelineService
import TidelineTestSupport

@testable import TidelineServer

/// The services of accounts and of users.
struct BookmarksLogonTests {
    private static let dt = "xmlns:dt=\"urn:schemas-microsoft-com:datatypes\""

    @Test(.covers("SB-F010", "SB-F017"))
    func `the logon of an account answers the document of 2010 to the byte, with a token of 32 hexadecimal digits`()
        async throws
    {
        try await BookmarksWorld().run { client in
            for path in ["/services/apirest.aspx", "/apiREST.aspx"] {
                var client = client
                client.root = ""
                let answer = try await client.get(
                    "\(path.dropFirst())?operation=logon&password=the%20password%20of%20tideline"
                )
                #expect(answer.status == .ok)
                let token = try #require(answer.element("Token"))
                #expect(token.utf8.count == 32 && token.allSatisfy { "0123456789abcdef".contains($0) })
                #expect(
                    answer.text == """
                        <AmxResponse>
                          <Result dt:type="string" \(Self.dt)>LogonOk</Result>
                          <Token>\(token)</Token>
                          <HasException dt:type="boolean" \(Self.dt)>0</HasException>
                        </AmxResponse>
                        """
                )
                #expect(answer.headers[.contentType] == "text/xml; charset=utf-8")
                #expect(answer.headers[.cacheControl] == "no-store")
            }
        }
    }

    @Test(.covers("SB-F011", "SB-S13"))
    func `a wrong password and an unknown account are one answer, without a token and without an exception`()
        async throws
    {
        try await BookmarksWorld().run { client in
            let wrong = try await client.get("apirest.aspx?operation=logon&password=wrong")
            #expect(wrong.status == .ok)
            #expect(wrong.element("Result") == "InvalidPassword")
            #expect(wrong.element("HasException") == "0")
            #expect(wrong.element("Token") == nil)
            var stranger = client
            stranger.account = "nobody"
            let unknown = try await stranger.get("apirest.aspx?operation=logon&password=wrong")
            #expect(unknown.text == wrong.text)
        }
    }

    @Test(.covers("SB-F012", "SB-S04"))
    func `a call without headers is an exception in status 200, with a stable code and no trace of the inside`()
        async throws
    {
        try await BookmarksWorld().run { client in
            var client = client
            client.account = nil
            let answer = try await client.get("apirest.aspx?operation=logon&password=the%20password%20of%20tideline")
            #expect(answer.status == .ok)
            #expect(answer.element("HasException") == "1")
            let error = try #require(answer.element("Error"))
            let lines = error.split(separator: "\n")
            // More lines than one, as the vector has them.
            #expect(lines.count == 2)
            #expect(error.hasPrefix("MissingHeaders: Neither a logon token nor API key were provided in the request."))
            #expect(lines.last?.hasPrefix("Reference: ") == true)
            #expect(!error.contains("   at ") && !error.contains(".swift") && !error.contains("Exception"))
            let shape = answer.text.replacingOccurrences(of: error, with: "…")
            #expect(
                shape == """
                    <AmxResponse>
                      <Error>…</Error>
                      <HasException dt:type="boolean" \(Self.dt)>1</HasException>
                    </AmxResponse>
                    """
            )
        }
    }

    @Test(.covers("SB-F013"), arguments: ["missing", "empty", "old"])
    func `a missing token, an empty one and an old one are alike when an account logs on`(kind: String) async throws {
        try await BookmarksWorld().run { client in
            var client = client
            if kind == "empty" { client.token = "" }
            if kind == "old" { client.token = "0123456789abcdef0123456789abcdef" }
            let answer = try await client.get("apirest.aspx?operation=logon&password=the+password+of+tideline")
            #expect(answer.element("Result") == "LogonOk")
            #expect(answer.element("Token")?.utf8.count == 32)
            #expect(answer.element("Token") != client.token)
        }
    }

    @Test(.covers("SB-F014"))
    func `the logon of a user has four results`() async throws {
        let world = try BookmarksWorld()
        try world.six.run("UPDATE Users SET IsActive = 0 WHERE UserId = 1002")
        try await world.run { client in
            let client = try await client.loggedOn()
            for (user, password, result) in [
                ("nobody", "x", "InvalidUsername"), ("ada", "wrong", "InvalidPassword"), ("", "x", "InvalidUsername"),
                ("grace", nil, "AccountInactive"), ("tideline/ada", "the password of ada", "InvalidUsername"),
                ("ada", nil, "LogonOk"),
            ] {
                let answer = try await client.logOn(user, password: password)
                #expect(answer.status == .ok)
                #expect(answer.element("Result") == result, "\(user): \(answer.text)")
                #expect(answer.element("HasException") == "0")
                #expect((answer.element("Message") == nil) == (result == "LogonOk"))
                #expect(answer.element("Token") == (result == "LogonOk" ? client.token : nil))
            }
        }
    }

    @Test(.covers("SB-S13"))
    func `unless the domain says otherwise, a failed logon tells nothing of names`() async throws {
        let world = try BookmarksWorld { $0.failures = .uniform }
        try world.six.run("UPDATE Users SET IsActive = 0 WHERE UserId = 1002")
        try await world.run { client in
            let client = try await client.loggedOn()
            var answers: Set<String> = []
            for (user, password) in [("nobody", "x"), ("ada", "wrong"), ("grace", nil)] as [(String, String?)] {
                answers.insert(try await client.logOn(user, password: password).text)
            }
            #expect(answers.count == 1)
            #expect(answers.first?.contains("InvalidPassword") == true)
        }
    }

    @Test(.covers("SB-F015", "SB-W27"))
    func `a token is the first user's who logs on with it, and is refused to any other`() async throws {
        try await BookmarksWorld().run { client in
            let ada = try await client.loggedOn(as: "ada")
            #expect(try await ada.logOn("ada").element("Result") == "LogonOk")
            for password in [nil, "wrong"] as [String?] {
                let grace = try await ada.logOn("grace", password: password)
                #expect(grace.status == .ok && grace.element("HasException") == "1")
                // Right or wrong: what the password is cannot be learned with a token of another.
                #expect(grace.element("Error")?.hasPrefix("TokenInUse: ") == true)
            }
            #expect(try await ada.get("Bookmarks.svc/Bookmark").texts("UserId") == ["1001", "1001", "1001"])
            // With a token of her own she is let in, and his stays his.
            let grace = try await client.loggedOn(as: "grace")
            #expect(grace.token != ada.token)
            #expect(try await grace.get("Bookmarks.svc/Bookmark").texts("UserId") == ["1002", "1002", "1002"])
            #expect(try await ada.get("Bookmarks.svc/Bookmark").texts("UserId") == ["1001", "1001", "1001"])
        }
    }

    @Test(.covers("SB-F015", "SB-W27"))
    func `of two users who come with one token at once the first has it, and the other is refused`() throws {
        let world = try BookmarksWorld()
        let session = try world.session()
        let account = SixBookmarksWorld.password("tideline")
        let text = try #require(try session.logOn(account: "tideline", password: account))
        // Both requests read the token when it was nobody's: what they know of it does not decide, the store does.
        let token = try #require(try session.accounts.accountToken(text, domain: "sixbookmarks"))
        #expect(token.user.isNull)
        #expect(try session.logOn(user: "ada", password: SixBookmarksWorld.password("ada"), with: token) == .ok)
        #expect(throws: BookmarksFault.boundToken) {
            try session.logOn(user: "grace", password: SixBookmarksWorld.password("grace"), with: token)
        }
        // The first may come twice.
        #expect(try session.logOn(user: "ada", password: SixBookmarksWorld.password("ada"), with: token) == .ok)
        #expect(try world.six.accounts.accountToken(text, domain: "sixbookmarks")?.user == .integer(1001))
    }

    @Test(.covers("SB-F016", "SB-S09"))
    func `after the logoff the token opens nothing`() async throws {
        try await BookmarksWorld().run { client in
            let ada = try await client.loggedOn(as: "ada")
            #expect(try await ada.get("Bookmarks.svc/Bookmark").status == .ok)
            let answer = try await ada.get("apirest.aspx?operation=logoff")
            #expect(answer.status == .ok)
            #expect(answer.element("HasException") == "0" && answer.element("Error") == nil)
            #expect(try await ada.get("Bookmarks.svc/Bookmark").status == .unauthorized)
            #expect(try await ada.logOn("ada").element("Error")?.hasPrefix("InvalidToken: ") == true)
            #expect(try await ada.get("apirest.aspx?operation=logoff").element("HasException") == "1")
        }
    }

    @Test(.covers("SB-F021", "SB-S02", "SB-S14"))
    func `values are decoded as forms are, and an unencoded one never becomes a parameter`() async throws {
        let world = try BookmarksWorld()
        let password = " a&b=c#d%é ?+ "
        let directory = try world.six.directory("users")
        try world.six.accounts.setPassword(password, id: .integer(1001), directory: directory)
        try await world.run { client in
            let client = try await client.loggedOn()
            let right = "%20a%26b%3Dc%23d%25%C3%A9+%3F%2B%20"
            let path = "usersrest.aspx?Operation=LOGON&username=ada&PASSWORD="
            #expect(try await client.get(path + right).element("Result") == "LogonOk")
            // Never trimmed.
            #expect(try await client.get(path + right.dropFirst(3)).element("Result") == "InvalidPassword")
            // The password would be "x", and the user another one.
            let injected = try await client.get("usersrest.aspx?operation=logon&username=ada&password=x&username=grace")
            #expect(injected.element("Error")?.hasPrefix("InvalidParameters: ") == true)
            for broken in ["%", "%zz", "%C3%28"] {
                let answer = try await client.get(path + broken)
                #expect(answer.element("Error")?.hasPrefix("InvalidParameters: ") == true, "\(broken)")
            }
        }
    }

    @Test(.covers("SB-S01"))
    func `the parameters may come in a body, which stands in no address`() async throws {
        try await BookmarksWorld().run { client in
            let form = "application/x-www-form-urlencoded"
            let body = "operation=logon&password=the+password+of+tideline"
            let answer = try await client.send(.post, "apirest.aspx", body, type: form)
            #expect(answer.element("Result") == "LogonOk")
            let large = try await client.send(.post, "apirest.aspx", String(repeating: "x", count: 5000), type: form)
            #expect(large.status == .contentTooLarge)
            #expect(large.element("HasException") == "1")
        }
    }

    @Test func `an unknown operation and a missing parameter are exceptions`() async throws {
        try await BookmarksWorld().run { client in
            for (path, code) in [
                ("apirest.aspx", "UnknownOperation"), ("apirest.aspx?operation=fly", "UnknownOperation"),
                ("usersrest.aspx?operation=logoff", "UnknownOperation"),
                ("apirest.aspx?operation=logon", "MissingParameter"),
                ("usersrest.aspx?operation=logon&password=x", "MissingParameter"),
                ("usersrest.aspx?operation=logon&username=x&password=x", "MissingHeaders"),
                ("apirest.aspx?operation=logoff", "MissingHeaders"),
            ] {
                let answer = try await client.get(path)
                #expect(answer.status == .ok && answer.element("HasException") == "1")
                #expect(answer.element("Error")?.hasPrefix("\(code): ") == true, "\(path): \(answer.text)")
            }
            #expect(try await client.send(.delete, "apirest.aspx").status == .methodNotAllowed)
        }
    }

    @Test(.covers("SB-S09"))
    func `after five wrong passwords logon waits, for the account and for the user`() async throws {
        try await BookmarksWorld().run { client in
            let logged = try await client.loggedOn()
            for _ in 0..<5 { #expect(try await logged.logOn("ada", password: "no").element("Result") != nil) }
            let locked = try await logged.logOn("ada")
            #expect(locked.element("Error")?.hasPrefix("LogonLocked: ") == true)
            #expect(Int(locked.headers[.retryAfter] ?? "") ?? 0 > 0)
            for _ in 0..<5 { _ = try await client.get("apirest.aspx?operation=logon&password=no") }
            let account = try await client.get("apirest.aspx?operation=logon&password=the+password+of+tideline")
            #expect(account.element("Error")?.hasPrefix("LogonLocked: ") == true)
        }
    }

    @Test(.covers("SB-S03"))
    func `no password, no token and no query stands in any line of the log`() async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            _ = try await ada.logOn("grace", password: "secret-of-grace")
            _ = try await ada.get("Bookmarks.svc/Bookmark?$filter=Name%20eq%20'private'")
            let text = world.six.log.lines.joined(separator: "\n")
            #expect(text.contains("/services/usersrest.aspx"))
            for secret in [
                "password of", "password%20of", "password+of", "secret-of-grace", "private", "operation=",
                ada.token ?? "",
            ] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
    }
}

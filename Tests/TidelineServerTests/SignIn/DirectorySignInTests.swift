// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineAccounts
import TidelineModel
import TidelineServer
import TidelineTestSupport

struct DirectorySignInTests {
    let world: SixBookmarksWorld

    init() throws { world = try SixBookmarksWorld() }

    @Test(arguments: ["ada", "tideline/ada", "Tideline/ADA", "Ada"])
    func `a user of the domain's own table signs in, in any letter case`(name: String) async throws {
        try await world.server.application().test(.live) { client in
            let answer = try await client.signInSix(name, password: SixBookmarksWorld.password("ada"))
            #expect(answer.status == .ok)
            let user = try #require(answer.json["user"] as? [String: Any])
            #expect(user["id"] as? Int == 1001)
            #expect(user["name"] as? String == "tideline/ada")
            #expect(user["roles"] as? [String] == ["member"])
            let marks = try await client.read("Bookmarks", answer.json["access_token"] as? String ?? "")
            let keys = (marks.json["value"] as? [[String: Any]])?.compactMap { $0["BookmarkId"] as? Int }
            #expect(keys == [10010, 10011, 10012])
            // Who registers is a user of the open account: its address and e-mail are the account's alone.
            let account = try await client.read("ApiAccounts", answer.json["access_token"] as? String ?? "")
            #expect(account.status == .notFound)
            #expect(!account.text.contains("tideline@"))
        }
    }

    @Test(.covers("SB-F007"))
    func `two accounts have users of one name, and neither account sees the other's`() async throws {
        try await world.server.application().test(.live) { client in
            let other = try await client.token("other/ada")
            let marks = try await client.read("Bookmarks", other)
            let keys = (marks.json["value"] as? [[String: Any]])?.compactMap { $0["BookmarkId"] as? Int }
            #expect(keys == [20010, 20011, 20012])
            for (account, users) in [("tideline", [1001, 1002]), ("other", [2001])] {
                let token = try await client.token(account, directory: "accounts")
                let found = try await client.read("Users", token)
                #expect((found.json["value"] as? [[String: Any]])?.compactMap { $0["UserId"] as? Int } == users)
                let marks = try await client.read("Bookmarks/$count", token)
                #expect(marks.text == "\(users.count * 3)")
                let strange = try await client.read("Users(\(users == [2001] ? 1001 : 2001))", token)
                #expect(strange.status == .notFound)
            }
        }
    }

    @Test(.covers("SB-S13"))
    func `an unknown name, a wrong password, an inactive user and a missing hash give one answer`() async throws {
        try world.run("UPDATE Users SET IsActive = 0 WHERE UserId = 1002")
        try world.run("INSERT INTO Users (UserId, ApiAccountId, Username) VALUES (1003, 1, 'fresh')")
        try await world.server.application().test(.live) { client in
            var bodies: Set<String> = []
            for (name, password) in [
                ("nobody", "the password of ada"), ("ada", "wrong"), ("grace", "the password of grace"),
                ("fresh", ""), ("nobody/ada", "the password of ada"), ("ada/", "the password of ada"), ("", ""),
            ] {
                let answer = try await client.signInSix(name, password: password)
                #expect(answer.status == .unauthorized, "\(name)")
                bodies.insert(answer.text)
            }
            #expect(bodies.count == 1)
        }
    }

    @Test(.covers("SB-S09"), arguments: [["ada", "tideline/ada", "ADA", "Tideline/Ada", "ada"], ["nobody"]])
    func `failures are counted for the user, however the name is spelled`(names: [String]) async throws {
        try await world.server.application().test(.live) { client in
            for turn in 0..<5 {
                let answer = try await client.signInSix(names[turn % names.count], password: "wrong")
                #expect(answer.status == .unauthorized)
            }
            let locked = try await client.signInSix(names[0], password: SixBookmarksWorld.password("ada"))
            #expect(locked.status == .tooManyRequests)
            #expect(locked.errorCode == "SignInLocked")
            #expect(try await client.signInSix("grace").status == .ok)
        }
    }

    @Test(arguments: ["UPDATE Users SET IsActive = 0 WHERE UserId = 1001", "DELETE FROM Users WHERE UserId = 1001"])
    func `a user who is inactive or gone can use neither token`(sql: String) async throws {
        try await world.server.application().test(.live) { client in
            let answer = try await client.signInSix("ada")
            try world.run("PRAGMA foreign_keys = ON; " + sql)
            let access = answer.json["access_token"] as? String ?? ""
            let marks = try await client.read("Bookmarks", access)
            #expect(marks.status == .unauthorized)
            #expect(marks.errorCode == "InvalidToken")
            let refresh = answer.json["refresh_token"] as? String ?? ""
            let pair = try await client.post(
                "/auth/sixbookmarks/token",
                #"{"grant_type":"refresh_token","refresh_token":"\#(refresh)"}"#
            )
            #expect(pair.status == .unauthorized)
            #expect(pair.errorCode == "InvalidToken")
        }
    }

    @Test func `a refresh token gives what the tables say now`() async throws {
        try await world.server.application().test(.live) { client in
            let refresh = try await client.signInSix("ada").json["refresh_token"] as? String ?? ""
            try world.run("UPDATE Users SET Username = 'augusta' WHERE UserId = 1001")
            let pair = try await client.post(
                "/auth/sixbookmarks/token",
                #"{"grant_type":"refresh_token","refresh_token":"\#(refresh)"}"#
            )
            #expect(pair.status == .ok)
            #expect((pair.json["user"] as? [String: Any])?["name"] as? String == "tideline/augusta")
        }
    }

    @Test func `an unknown directory is told, and the server's own users do not sign in`() async throws {
        try world.accounts.addUser("ada2", password: "the password of ada2", domain: "sixbookmarks", id: .integer(1001))
        try await world.server.application().test(.live) { client in
            let unknown = try await client.signInSix("ada", directory: "nowhere")
            #expect(unknown.status == .badRequest)
            #expect(unknown.errorCode == "UnknownDirectory")
            #expect(try await client.signInSix("ada2").status == .unauthorized)
        }
        let stray = try world.accounts.signIn("ada2", password: "the password of ada2", domain: "sixbookmarks")
        try await world.server.application().test(.live) { client in
            let answer = try await client.read("Bookmarks", stray.accessToken)
            #expect(answer.status == .unauthorized)
        }
    }

    @Test func `a name and a password with each request find the user too`() async throws {
        let world = try SixBookmarksWorld(takesBasic: true)
        try await world.server.application().test(.live) { client in
            for (name, status) in [("ada", HTTPResponse.Status.ok), ("other/ada", .ok), ("nobody", .unauthorized)] {
                let field = "Basic " + Data("\(name):the password of ada".utf8).base64EncodedString()
                let answer = try await client.get("/odata/sixbookmarks/Bookmarks", [.authorization: field])
                #expect(answer.status == status, "\(name)")
            }
        }
    }

    @Test func `another password takes the place of the first, and signs every device out`() async throws {
        let users = try world.directory("users")
        try await world.server.application().test(.live) { client in
            let before = try await client.token("ada")
            try world.accounts.setPassword("another password", id: .integer(1001), directory: users)
            #expect(try await client.read("Bookmarks", before).status == .unauthorized)
            #expect(try await client.signInSix("ada").status == .unauthorized)
            #expect(try await client.signInSix("ada", password: "another password").status == .ok)
        }
        #expect(try world.accounts.identify("ada", password: "another password", directory: users).id == .integer(1001))
        #expect(throws: (any Error).self) {
            try world.accounts.identify("ada", password: "the password of ada", directory: users)
        }
    }

    @Test(.covers("SB-S03"))
    func `no answer and no log of changes holds a hash`() async throws {
        let users = try world.directory("users")
        try await world.server.application().test(.live) { client in
            let token = try await client.token("tideline", directory: "accounts")
            try world.accounts.setPassword("another password", id: .integer(1001), directory: users)
            for path in ["$metadata", "Users", "ApiAccounts", "openapi.json", "Users(1001)"] {
                let answer = try await client.read(path, token)
                #expect(answer.status == .ok, "\(path)")
                #expect(!answer.text.contains("PasswordHash"), "\(path)")
                #expect(!answer.text.contains("scrypt"), "\(path)")
            }
            #expect(try await client.read("Users?$select=PasswordHash", token).status == .badRequest)
            #expect(try await client.read("Users?$filter=startswith(PasswordHash,'$')", token).status == .badRequest)
        }
        // The insert is refused when the log has one.
        try world.run(
            "CREATE TEMP TABLE hits (n INT CHECK (n = 0)); "
                + "INSERT INTO hits SELECT count(*) FROM tideline_log WHERE before LIKE '%scrypt%'"
        )
    }
}

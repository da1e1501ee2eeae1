// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineAccounts
import TidelineModel

struct UsersTests {
    let world: AccountsWorld

    init() throws { world = try AccountsWorld() }

    @Test func `a user is found by name in any letter case with roles and attributes`() throws {
        let added = try world.accounts.addUser(
            "Ada",
            password: "correct horse",
            domain: "shop",
            id: .integer(1001),
            roles: ["seller", "two words"],
            attributes: ["Teams": [.string("north\tsea"), .string("a\nb\\c")], "Level": [.integer(3)]]
        )
        let found = try #require(try world.accounts.user("ADA", domain: "shop"))
        #expect(found == added)
        #expect(found.name == "Ada")
        #expect(found.id == .integer(1001))
        #expect(found.roles == ["seller", "two words"])
        #expect(found.attributes["Teams"] == [.string("north\tsea"), .string("a\nb\\c")])
        #expect(found.context.attributes["Level"] == [.integer(3)])
        #expect(found.created == 1_800_000_000)
    }

    @Test func `without an identifier a user gets a random GUID of version 4`() throws {
        let user = try world.accounts.addUser("ada", password: "correct horse", domain: "shop")
        guard case .guid(let guid) = user.id else { throw TestFailure("\(user.id) is no GUID") }
        #expect(guid.high >> 12 & 0xF == 4)
        #expect(guid.low >> 62 == 2)
        #expect(try world.accounts.user("ada", domain: "shop")?.id == user.id)
    }

    @Test func `a name is taken once in a domain, and free in another`() throws {
        try world.accounts.addUser("ada", password: "correct horse", domain: "shop")
        let error = #expect(throws: AccountsError.self) {
            try world.accounts.addUser("ADA", password: "correct horse", domain: "shop")
        }
        #expect(error?.code == .duplicateUser)
        try world.accounts.addUser("ada", password: "correct horse", domain: "club")
        #expect(try world.accounts.users(of: "shop").map(\.name) == ["ada"])
    }

    @Test func `an identifier is taken once in a domain`() throws {
        try world.accounts.addUser("ada", password: "correct horse", domain: "shop", id: .integer(1))
        let error = #expect(throws: AccountsError.self) {
            try world.accounts.addUser("grace", password: "correct horse", domain: "shop", id: .integer(1))
        }
        #expect(error?.code == .duplicateUser)
    }

    @Test func `users are listed by name`() throws {
        for name in ["grace", "ada", "Edith"] {
            try world.accounts.addUser(name, password: "correct horse", domain: "shop")
        }
        #expect(try world.accounts.users(of: "shop").map(\.name) == ["ada", "Edith", "grace"])
        #expect(try world.accounts.users(of: "club") == [])
    }

    @Test(arguments: ["", " ada", "ada ", "a\u{0}b", "a\nb", "\u{202E}ada"])
    func `what cannot be seen is no name`(name: String) {
        let error = #expect(throws: AccountsError.self) {
            try world.accounts.addUser(name, password: "correct horse", domain: "shop")
        }
        #expect(error?.code == .invalidName)
    }

    @Test(arguments: ["", "1234567", String(repeating: "x", count: 1025)])
    func `a password has 8 to 1024 bytes`(password: String) {
        let error = #expect(throws: AccountsError.self) {
            try world.accounts.addUser("ada", password: password, domain: "shop")
        }
        #expect(error?.code == .unacceptablePassword)
    }

    @Test func `removing a domain's users removes their tokens and nobody else's`() throws {
        try world.accounts.addUser("ada", password: "correct horse", domain: "shop")
        try world.accounts.addUser("ada", password: "correct horse", domain: "club")
        let shop = try world.accounts.signIn("ada", password: "correct horse", domain: "shop")
        let club = try world.accounts.signIn("ada", password: "correct horse", domain: "club")
        try world.accounts.removeUsers(of: "shop")
        #expect(try world.accounts.users(of: "shop") == [])
        #expect(throws: AccountsError.self) { try world.accounts.authenticate(shop.accessToken, domain: "shop") }
        #expect(try world.accounts.authenticate(club.accessToken, domain: "club").name == "ada")
    }

    @Test func `a user gets other roles and attributes, and keeps what is not named`() throws {
        try world.accounts.addUser(
            "ada",
            password: "correct horse",
            domain: "shop",
            id: .integer(7),
            roles: ["seller"],
            attributes: ["Region": [.string("north")], "Team": [.integer(1), .integer(2)]]
        )
        let moved = try world.accounts.changeUser("ADA", domain: "shop", attributes: ["Region": [.string("south")]])
        #expect(moved.roles == ["seller"])
        #expect(moved.attributes == ["Region": [.string("south")], "Team": [.integer(1), .integer(2)]])
        let clerk = try world.accounts.changeUser(
            "ada",
            domain: "shop",
            roles: ["clerk", "buyer"],
            attributes: ["Team": []]
        )
        #expect(clerk.roles == ["clerk", "buyer"])
        #expect(clerk.attributes == ["Region": [.string("south")]])
        #expect(try world.accounts.user("ada", domain: "shop") == clerk)
        #expect(try world.accounts.changeUser("ada", domain: "shop", roles: []).roles == [])
        #expect(try world.accounts.user("ada", domain: "shop")?.id == .integer(7))
    }

    @Test func `a user who is removed has no tokens, no lock-out and no devices but those that were revoked`() throws {
        let accounts = world.accounts
        try accounts.addUser("ada", password: "correct horse", domain: "shop")
        try accounts.addUser("grace", password: "correct horse", domain: "shop")
        let ada = try accounts.signIn("ada", password: "correct horse", domain: "shop")
        let grace = try accounts.signIn("grace", password: "correct horse", domain: "shop")
        for (client, user) in [("mine", "ada"), ("lost", "ada"), ("hers", "grace")] {
            try accounts.noteDevice(client, domain: "shop", user: user, agent: nil)
        }
        try accounts.setRevoked(true, device: "lost", domain: "shop")
        try accounts.removeUser("Ada", domain: "shop")
        #expect(try accounts.users(of: "shop").map(\.name) == ["grace"])
        #expect(throws: AccountsError.self) { try accounts.authenticate(ada.accessToken, domain: "shop") }
        #expect(throws: AccountsError.self) { try accounts.refresh(ada.refreshToken, domain: "shop") }
        #expect(throws: AccountsError.self) { try accounts.signIn("ada", password: "correct horse", domain: "shop") }
        #expect(try accounts.authenticate(grace.accessToken, domain: "shop").name == "grace")
        #expect(try accounts.devices(of: "shop").map(\.client) == ["hers", "lost"])
        #expect(throws: AccountsError.self) {
            try accounts.noteDevice("lost", domain: "shop", user: "grace", agent: nil)
        }
        // The name is free again, and is somebody else's then.
        let other = try accounts.addUser("ada", password: "battery staple", domain: "shop")
        #expect(throws: AccountsError.self) { try accounts.authenticate(ada.accessToken, domain: "shop") }
        #expect(try accounts.user("ada", domain: "shop")?.id == other.id)
    }

    @Test func `changes of a user who is not there are refused`() {
        for change in [
            { try $0.setDisabled(true, user: "nobody", domain: "shop") },
            { try $0.changeUser("nobody", domain: "shop", roles: ["seller"]) },
            { try $0.removeUser("nobody", domain: "shop") },
        ] as [(Accounts) throws -> Void] {
            let error = #expect(throws: AccountsError.self) { try change(world.accounts) }
            #expect(error?.code == .unknownUser)
        }
    }
}

/// A test that cannot go on.
struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

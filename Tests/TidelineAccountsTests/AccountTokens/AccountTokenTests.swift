// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineAccounts
import TidelineModel
import TidelineTestSupport

struct AccountTokenTests {
    let world: AccountsWorld

    init() throws { world = try AccountsWorld() }

    private func make(_ account: Int64 = 1, domain: String = "six") throws -> String {
        try world.accounts.makeAccountToken(
            Self.user(account, "accounts", domain),
            name: "tideline",
            lifeInSeconds: 600
        )
    }

    private static func user(_ id: Int64, _ directory: String = "users", _ domain: String = "six") -> User {
        User(domain: domain, name: "tideline", id: .integer(id), directory: directory)
    }

    @Test func `a token is 32 hexadecimal digits, no two alike, and known in its own domain alone`() throws {
        let tokens = try (0..<20).map { _ in try make() }
        #expect(Set(tokens).count == 20)
        for token in tokens {
            #expect(token.utf8.count == 32 && token.allSatisfy { "0123456789abcdef".contains($0) })
            let found = try #require(try world.accounts.accountToken(token, domain: "six"))
            #expect(found.account == .integer(1) && found.accountName == "tideline" && found.user.isNull)
            #expect(try world.accounts.accountToken(token, domain: "shop") == nil)
            #expect(try world.accounts.accountToken(token.uppercased(), domain: "six") == nil)
        }
    }

    @Test(.covers("SB-F015", "SB-W27"))
    func `the first user has the token, for every process`() throws {
        let text = try make()
        let token = try #require(try world.accounts.accountToken(text, domain: "six"))
        #expect(try world.accounts.bind(token, to: Self.user(1001)))
        #expect(try world.accounts.bind(token, to: Self.user(1001)))
        // Both had read it when it was nobody's.
        let other = try world.anotherProcess()
        #expect(try !other.bind(token, to: Self.user(1002)))
        #expect(try other.accountToken(text, domain: "six")?.user == .integer(1001))
        try other.revoke(token)
        #expect(try !world.accounts.bind(token, to: Self.user(1001)))
    }

    @Test(.covers("SB-S09"))
    func `a token runs out, and is swept then`() throws {
        let text = try make()
        world.pass(seconds: 599)
        #expect(try world.accounts.accountToken(text, domain: "six") != nil)
        world.pass(seconds: 1)
        #expect(try world.accounts.accountToken(text, domain: "six") == nil)
        try world.accounts.sweep()
        #expect(try world.accounts.accountToken(text, domain: "six") == nil)
    }

    @Test(.covers("SB-S09"))
    func `a token that is taken back is gone, and the others stay`() throws {
        let first = try make()
        let second = try make()
        let token = try #require(try world.accounts.accountToken(first, domain: "six"))
        try world.accounts.revoke(token)
        #expect(try world.accounts.accountToken(first, domain: "six") == nil)
        #expect(try world.accounts.accountToken(second, domain: "six") != nil)
    }

    @Test(.covers("SB-S09"))
    func `of an account no more than 200 tokens live, and the oldest goes first`() throws {
        let stranger = try make(2)
        let first = try make()
        world.pass(seconds: 1)
        let second = try make()
        world.pass(seconds: 1)
        for _ in 0..<Accounts.accountTokenLimit - 1 { _ = try make() }
        #expect(try world.accounts.accountToken(first, domain: "six") == nil)
        #expect(try world.accounts.accountToken(second, domain: "six") != nil)
        #expect(try world.accounts.accountToken(stranger, domain: "six") != nil)
    }

    @Test(.covers("SB-S09"))
    func `the store holds no token`() throws {
        let text = try make()
        for name in try FileManager.default.contentsOfDirectory(atPath: world.folder) {
            let data = try Data(contentsOf: URL(fileURLWithPath: world.folder + "/" + name))
            #expect(data.range(of: Data(text.utf8)) == nil, "\(name)")
        }
    }
}

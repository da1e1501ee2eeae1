// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineAccounts
import TidelineModel
import TidelineTestSupport

struct TokensTests {
    let world: AccountsWorld
    let first: TokenPair

    init() throws {
        world = try AccountsWorld()
        try world.accounts.addUser("ada", password: "correct horse", domain: "shop", id: .integer(7), roles: ["seller"])
        first = try world.accounts.signIn("Ada", password: "correct horse", domain: "shop", device: "phone")
    }

    private func isValid(_ pair: TokenPair, in domain: String = "shop") -> Bool {
        (try? world.accounts.authenticate(pair.accessToken, domain: domain)) != nil
    }

    private func isRefreshed(_ pair: TokenPair) -> Bool {
        (try? world.accounts.refresh(pair.refreshToken, domain: "shop")) != nil
    }

    @Test func `tokens are 43 base64url digits and differ`() {
        let isDigit = { (character: Character) in
            character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
        }
        for token in [first.accessToken, first.refreshToken] {
            #expect(token.count == 43)
            #expect(token.allSatisfy(isDigit))
        }
        #expect(first.accessToken != first.refreshToken)
        #expect(first.expiresIn == .seconds(900))
        #expect(first.user.name == "ada")
    }

    @Test(.covers("DA-83")) func `an access token opens its own domain for 15 minutes`() throws {
        let user = try world.accounts.authenticate(first.accessToken, domain: "shop")
        #expect(user.context == UserContext(id: .integer(7), name: "ada", roles: ["seller"]))
        #expect(!isValid(first, in: "club"))
        world.pass(seconds: 899)
        #expect(isValid(first))
        world.pass(seconds: 1)
        #expect(!isValid(first))
    }

    @Test(arguments: ["", "x", "a b", String(repeating: "A", count: 43)])
    func `any other text opens nothing`(token: String) {
        let error = #expect(throws: AccountsError.self) { try world.accounts.authenticate(token, domain: "shop") }
        #expect(error?.code == .invalidToken)
        #expect(throws: AccountsError.self) { try world.accounts.refresh(token, domain: "shop") }
    }

    @Test(.covers("DA-83")) func `one kind of token is not the other`() {
        #expect(throws: AccountsError.self) { try world.accounts.authenticate(first.refreshToken, domain: "shop") }
        #expect(throws: AccountsError.self) { try world.accounts.refresh(first.accessToken, domain: "shop") }
        #expect(throws: AccountsError.self) { try world.accounts.refresh(first.refreshToken, domain: "club") }
    }

    @Test func `a refresh token lives 90 days from its issue`() throws {
        world.pass(seconds: 90 * 86_400 - 1)
        let second = try world.accounts.refresh(first.refreshToken, domain: "shop")
        world.pass(seconds: 90 * 86_400 - 1)
        let third = try world.accounts.refresh(second.refreshToken, domain: "shop")
        world.pass(seconds: 90 * 86_400)
        #expect(!isRefreshed(third))
    }

    @Test func `a token used again within a minute gets a new pair, for the answer may be lost`() throws {
        let lost = try world.accounts.refresh(first.refreshToken, domain: "shop")
        world.pass(seconds: 60)
        let repeated = try world.accounts.refresh(first.refreshToken, domain: "shop")
        #expect(lost.refreshToken != repeated.refreshToken)
        #expect(isValid(repeated))
        #expect(isRefreshed(repeated))
    }

    @Test func `a token used again after a minute revokes the whole family`() throws {
        let second = try world.accounts.refresh(first.refreshToken, domain: "shop")
        world.pass(seconds: 61)
        #expect(!isRefreshed(first))
        #expect(!isValid(second))
        #expect(!isRefreshed(second))
    }

    @Test func `a token used again after its successor was used revokes the whole family`() throws {
        let second = try world.accounts.refresh(first.refreshToken, domain: "shop")
        let third = try world.accounts.refresh(second.refreshToken, domain: "shop")
        #expect(!isRefreshed(first))
        #expect(!isRefreshed(third))
        #expect(!isValid(third))
    }

    @Test func `the pair that was lost is used up by the repetition`() throws {
        let lost = try world.accounts.refresh(first.refreshToken, domain: "shop")
        let repeated = try world.accounts.refresh(first.refreshToken, domain: "shop")
        world.pass(seconds: 61)
        #expect(!isRefreshed(lost))
        #expect(!isRefreshed(repeated))
    }

    @Test func `signing out ends this device at once and no other`() throws {
        let tablet = try world.accounts.signIn("ada", password: "correct horse", domain: "shop", device: "tablet")
        #expect(isValid(first))
        try world.accounts.revoke(first.refreshToken, domain: "shop")
        #expect(!isValid(first))
        #expect(!isRefreshed(first))
        #expect(isValid(tablet))
        try world.accounts.revoke("no such token", domain: "shop")
    }

    @Test func `a disabled user is signed out everywhere, here at once and elsewhere within five seconds`() throws {
        let other = try world.anotherProcess()
        #expect(try other.authenticate(first.accessToken, domain: "shop").name == "ada")
        #expect(isValid(first))
        try world.accounts.setDisabled(true, user: "ada", domain: "shop")
        #expect(!isValid(first))
        world.pass(seconds: 5)
        #expect(throws: AccountsError.self) { try other.authenticate(first.accessToken, domain: "shop") }
        try world.accounts.setDisabled(false, user: "ada", domain: "shop")
        #expect(!isRefreshed(first))
    }

    @Test func `a new password signs every device out`() throws {
        try world.accounts.setPassword("battery staple", user: "ada", domain: "shop")
        #expect(!isValid(first))
        #expect(!isRefreshed(first))
    }

    @Test func `other roles count with the next request`() throws {
        #expect(try world.accounts.authenticate(first.accessToken, domain: "shop").roles == ["seller"])
        try world.accounts.changeUser("ada", domain: "shop", roles: ["buyer"])
        #expect(try world.accounts.authenticate(first.accessToken, domain: "shop").roles == ["buyer"])
    }

    @Test func `sweeping leaves what is valid`() throws {
        world.pass(seconds: 1000)
        let second = try world.accounts.refresh(first.refreshToken, domain: "shop")
        try world.accounts.sweep()
        #expect(!isValid(first))
        #expect(isValid(second))
        #expect(isRefreshed(second))
        world.pass(seconds: 91 * 86_400)
        try world.accounts.sweep()
        #expect(!isRefreshed(second))
    }
}

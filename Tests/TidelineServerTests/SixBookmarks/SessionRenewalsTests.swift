// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineAccounts

@testable import TidelineServer

/// Several windows of one browser whose sign-in is renewed.
struct SessionRenewalsTests {
    let world: SixBookmarksWorld
    let directory: UserDirectory

    init() throws {
        world = try SixBookmarksWorld()
        directory = try world.directory("accounts")
    }

    /// The tokens of an account that has just signed in.
    private func signedIn() throws -> TokenPair {
        try world.accounts.signIn("tideline", password: SixBookmarksWorld.password("tideline"), directory: directory)
    }

    private func renew(_ token: String, _ renewals: SessionRenewals) throws -> TokenPair {
        try renewals.pair(for: token, world.accounts, domain: directory.domain, directories: [directory])
    }

    @Test func `windows that come with one token get one pair, and the next renewal ends nothing`() async throws {
        let old = try signedIn()
        let renewals = SessionRenewals()
        let pairs: [TokenPair] = try await withThrowingTaskGroup(of: TokenPair.self) { group in
            for _ in 0..<8 {
                group.addTask { try await OwnThread.run { try renew(old.refreshToken, renewals) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(pairs.map(\.refreshToken)).count == 1)
        let pair = try #require(pairs.first)
        let next = try renew(pair.refreshToken, renewals)
        #expect(next.refreshToken != pair.refreshToken)
        let user = try world.accounts.authenticate(
            next.accessToken,
            domain: directory.domain,
            directories: [directory]
        )
        #expect(user.name == "tideline")
    }

    @Test func `who has signed out is not let in by what is remembered`() throws {
        let old = try signedIn()
        let renewals = SessionRenewals()
        let pair = try renew(old.refreshToken, renewals)
        try world.accounts.revoke(pair.refreshToken, domain: directory.domain)
        #expect(throws: AccountsError.self) { try renew(old.refreshToken, renewals) }
    }

    @Test func `a pair is remembered for a minute`() throws {
        let clock = ManualInstant()
        let renewals = SessionRenewals(now: { clock.now })
        let old = try signedIn()
        let first = try renew(old.refreshToken, renewals)
        clock.pass(.seconds(59))
        #expect(try renew(old.refreshToken, renewals).refreshToken == first.refreshToken)
        clock.pass(.seconds(2))
        // The accounts decide, by their own clock, which has not moved.
        #expect(try renew(old.refreshToken, renewals).refreshToken != first.refreshToken)
    }

    @Test func `pages that are loaded at once set the same cookie`() async throws {
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("sign-in")
            try await browser.send("sign-in", PageSafetyTests.right)
            let cookie = try #require(browser.cookies["tideline_account"])
            let refresh = try #require(cookie.split(separator: ".").last)
            // The access token has ended.
            let fields: HTTPFields = [.accept: "text/html", .cookie: "tideline_account=ended.\(refresh)"]
            var cookies: [String] = []
            for _ in 0..<3 {
                let page = try await client.get("/service/sixbookmarks/users", fields)
                #expect(page.status == .ok)
                cookies += page.headers[values: .setCookie].filter { $0.hasPrefix("tideline_account=") }
            }
            #expect(cookies.count == 3 && Set(cookies).count == 1)
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineAccounts

struct LockOutTests {
    let world: AccountsWorld

    init() throws {
        world = try AccountsWorld()
        try world.accounts.addUser("ada", password: "correct horse", domain: "shop")
    }

    /// The failure of a sign-in, or nil where it went well.
    private func code(_ name: String, _ password: String, _ accounts: Accounts? = nil) -> AccountsError? {
        do {
            _ = try (accounts ?? world.accounts).signIn(name, password: password, domain: "shop")
            return nil
        } catch {
            return error as? AccountsError
        }
    }

    @Test func `a wrong password, an unknown name and a disabled user are one failure`() throws {
        try world.accounts.addUser("grace", password: "correct horse", domain: "shop")
        try world.accounts.setDisabled(true, user: "grace", domain: "shop")
        let wrong = try #require(code("ada", "wrong horse"))
        #expect(wrong.code == .invalidCredentials)
        #expect(code("nobody", "correct horse") == wrong)
        #expect(code("grace", "correct horse") == wrong)
        #expect(code("ada", "") == wrong)
    }

    @Test func `from the fifth failure on the wait doubles`() throws {
        for _ in 1...4 { #expect(code("ada", "wrong")?.code == .invalidCredentials) }
        #expect(code("ada", "wrong")?.code == .invalidCredentials)
        let locked = try #require(code("ada", "correct horse"))
        #expect(locked.code == .locked)
        #expect(locked.retryAfter == .seconds(30))
        world.pass(seconds: 30)
        #expect(code("ada", "wrong")?.code == .invalidCredentials)
        #expect(code("ada", "correct horse")?.retryAfter == .seconds(60))
        world.pass(seconds: 59)
        #expect(code("ada", "correct horse")?.retryAfter == .seconds(1))
        world.pass(seconds: 1)
        #expect(code("ada", "correct horse") == nil)
        // The right password wipes the slate.
        for _ in 1...4 { #expect(code("ada", "wrong")?.code == .invalidCredentials) }
        #expect(code("ada", "correct horse") == nil)
    }

    @Test func `the wait holds in another process and for any spelling of the name`() throws {
        for _ in 1...5 { _ = code("ada", "wrong") }
        let other = try world.anotherProcess()
        #expect(code("ADA", "correct horse", other)?.code == .locked)
    }

    @Test func `unknown names wait as known ones do, and nobody else waits`() {
        for _ in 1...5 { _ = code("nobody", "wrong") }
        #expect(code("nobody", "wrong")?.retryAfter == .seconds(30))
        #expect(code("ada", "correct horse") == nil)
    }

    @Test func `the wait is at most an hour, and failures are forgotten after a day`() {
        for _ in 1...20 {
            _ = code("ada", "wrong")
            world.pass(seconds: 3600)
        }
        _ = code("ada", "wrong")
        #expect(code("ada", "correct horse")?.retryAfter == .seconds(3600))
        world.pass(seconds: 24 * 3600 + 1)
        #expect(code("ada", "wrong")?.code == .invalidCredentials)
        #expect(code("ada", "correct horse") == nil)
    }

    @Test func `a new password ends the wait`() throws {
        for _ in 1...5 { _ = code("ada", "wrong") }
        try world.accounts.setPassword("battery staple", user: "ada", domain: "shop")
        #expect(code("ada", "battery staple") == nil)
        #expect(code("ada", "correct horse")?.code == .invalidCredentials)
    }

    @Test func `a stored password of another cost opens, and is renewed`() throws {
        let dearer = try world.anotherProcess(cost: PasswordCost(rounds: 64, blockSize: 2, parallelism: 1))
        #expect(code("ada", "correct horse", dearer) == nil)
        // The first process finds the new parameters beside the hash.
        #expect(code("ada", "correct horse") == nil)
    }
}

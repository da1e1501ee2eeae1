// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineServer
import TidelineService

/// The key `compatibility` of a domain's file.
struct CompatibilityFileTests {
    let file: Domain

    init() throws {
        let world = try SixBookmarksWorld()
        file = try Domain(contentsOf: world.data.file(domain: "sixbookmarks"))
    }

    private func yaml(_ settings: String) -> String {
        file.yaml + "compatibility:\n  sixbookmarks: {\(settings)}\n"
    }

    @Test func `what is not said has the careful default, and a domain that says nothing has no door`() throws {
        #expect(file.sixBookmarks == nil)
        let domain = try Domain(yaml: yaml("set: Bookmarks, owner: UserId, accounts: accounts, users: users"))
        let settings = try #require(domain.sixBookmarks)
        #expect(settings.unknownProperties == .refused && settings.failures == .uniform)
        #expect(settings.reach == .loopback && settings.tokenMinutes == 720)
        #expect(try Domain(yaml: domain.yaml) == domain)
    }

    @Test func `everything that is said is written again as it was`() throws {
        let text = yaml(
            "set: Bookmarks, owner: UserId, accounts: accounts, users: users, unknownProperties: ignored, "
                + "failures: distinct, reach: everywhere, tokenMinutes: 5"
        )
        let domain = try Domain(yaml: text)
        #expect(domain.sixBookmarks?.tokenMinutes == 5 && domain.sixBookmarks?.reach == .everywhere)
        #expect(try Domain(yaml: domain.yaml) == domain)
    }

    @Test(
        arguments: [
            "set: Nothing, owner: UserId, accounts: accounts, users: users",
            "set: Bookmarks, owner: Nothing, accounts: accounts, users: users",
            "set: Bookmarks, owner: UserId, accounts: nothing, users: users",
            "set: Bookmarks, owner: UserId, accounts: accounts, users: nothing",
            "set: Bookmarks, owner: UserId, accounts: accounts",
            "set: Bookmarks, owner: UserId, accounts: accounts, users: users, reach: far",
            "set: Bookmarks, owner: UserId, accounts: accounts, users: users, tokenMinutes: 0",
            "set: Bookmarks, owner: UserId, accounts: accounts, users: users, more: 1",
        ]
    )
    func `a name that leads nowhere and a value that is none are refused with their line`(settings: String) {
        #expect {
            try Domain(yaml: yaml(settings))
        } throws: { error in
            (error as? DomainError)?.line != nil
        }
    }
}

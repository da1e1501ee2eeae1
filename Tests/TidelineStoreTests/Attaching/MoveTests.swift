// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineStore

/// A store that gets another address.
struct MoveTests {
    private let folder: TestFolder
    private let store: LocalStore
    private static let old = (address: "http://a/odata/shop/", path: "/odata/shop/")
    private static let new = "https://b/odata/tasks/"

    init() throws {
        folder = try TestFolder()
        store = try LocalStore.create(
            path: folder.file("a.tideline"),
            model: Fixture.model,
            origin: StoreOrigin(serviceURL: Self.old.address, userName: "ann")
        )
        try store.setSubscriptions([
            Subscription(set: "Marks", deltaLink: "/feed?after=7"),
            Subscription(set: "Orders", deltaLink: "Orders?$deltatoken=2"),
            Subscription(set: "Tags", deltaLink: "/odata/shop/Tags?$deltatoken=1"),
        ])
    }

    private func links() throws -> [String: String?] {
        Dictionary(uniqueKeysWithValues: try store.subscriptions().map { ($0.set, $0.deltaLink) })
    }

    @Test func `links lead on from the new address, and the user stays`() throws {
        let content = try store.identity().content
        try store.move(from: Self.old, to: Self.new)
        #expect(try store.identity().origin == StoreOrigin(serviceURL: Self.new, userName: "ann"))
        #expect(
            try links() == [
                "Marks": "/feed?after=7", "Orders": "Orders?$deltatoken=2", "Tags": "Tags?$deltatoken=1",
            ]
        )
        #expect(try store.identity().content == content + 1)
        // Two that move it meet; a third address is another matter.
        try store.move(from: Self.old, to: Self.new)
        #expect(try store.identity().content == content + 1)
        let error = #expect(throws: LocalStoreError.self) {
            try store.move(from: Self.old, to: "https://c/odata/shop/")
        }
        #expect(error?.code == .busy)
        #expect(try store.identity().origin?.serviceURL == Self.new)
    }

    @Test func `a pull of the address before is not applied`() throws {
        let claim = try store.claimPull()
        try store.move(from: Self.old, to: Self.new)
        #expect(throws: PullClaim.Lost.self) {
            try store.apply(Checkpoint(deltaLinks: ["Tags": "/odata/shop/Tags?$deltatoken=9"]), claim: claim)
        }
        #expect(try links()["Tags"] == "Tags?$deltatoken=1")
    }

    @Test func `a store of nobody's becomes that of the first who signs in, wherever it is`() throws {
        let open = try LocalStore.create(
            path: folder.file("b.tideline"),
            model: Fixture.model,
            origin: StoreOrigin(serviceURL: Self.old.address)
        )
        try open.move(from: Self.old, to: Self.new)
        #expect(try open.takeUser("ann") == "ann")
        #expect(try open.takeUser("bob") == "ann")
        #expect(try open.identity().origin == StoreOrigin(serviceURL: Self.new, userName: "ann"))
    }
}

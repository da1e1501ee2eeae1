// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// Two processes that pull into one file at once: each store of this suite is one of them.
struct PullClaimTests {
    private let folder: TestFolder
    private let one: LocalStore
    private let other: LocalStore
    private let b = Key([.string("b")])

    init() throws {
        folder = try TestFolder()
        one = try Fixture.store(folder)
        try Fixture.load(one, "Tags", [([.string("a"), .integer(1), .string("A"), .null], 1)])
        other = try LocalStore(path: folder.file("a.tideline"))
    }

    /// Stages a title of the tag `b`, as a page of changes brings it.
    private func stage(_ title: String, etag: UInt64, in store: LocalStore, _ claim: PullClaim) throws {
        let sink = try store.stage(set: "Tags", claim: claim)
        Fixture.push([.string("b"), .integer(2), .string(title), .null], etag: Fixture.etag(etag), into: sink)
        try sink.finish()
    }

    private func apply(_ link: String, of store: LocalStore, _ claim: PullClaim) throws {
        _ = try store.apply(Checkpoint(deltaLinks: ["Tags": link], staged: ["Tags"]), claim: claim)
    }

    private func state() throws -> [String] {
        try Fixture.rows(one, "Tags").map { $0["Title"]?.text ?? "" }
            + [try #require(try one.subscriptions().first?.deltaLink)]
    }

    @Test func `what one received is not applied with the link of another one`() throws {
        let (mine, others) = (try one.claimPull(), try other.claimPull())
        try stage("new", etag: 3, in: one, mine)
        // The other one asked before, and its answer comes later: its rows are older.
        #expect(throws: PullClaim.Lost.self) { try stage("old", etag: 2, in: other, others) }
        try apply("link-3", of: one, mine)
        #expect(throws: PullClaim.Lost.self) { try apply("link-2", of: other, others) }
        #expect(try state() == ["A", "new", "link-3"])
    }

    @Test func `what one staged is not taken away by another one that received nothing`() throws {
        let (mine, others) = (try one.claimPull(), try other.claimPull())
        try stage("new", etag: 3, in: one, mine)
        #expect(throws: PullClaim.Lost.self) { try apply("link-3", of: other, others) }
        try apply("link-3", of: one, mine)
        #expect(try state() == ["A", "new", "link-3"])
    }

    @Test func `an older state is not applied after a newer one`() throws {
        let (mine, others) = (try one.claimPull(), try other.claimPull())
        try apply("link-3", of: other, others)
        #expect(throws: PullClaim.Lost.self) { try apply("link-2", of: one, mine) }
        #expect(try state() == ["A", "link-3"])
        // Who begins again goes on from there.
        let again = try one.claimPull()
        try stage("newest", etag: 4, in: one, again)
        try apply("link-4", of: one, again)
        #expect(try state() == ["A", "newest", "link-4"])
    }

    @Test func `a load that goes on over pages ends where another one begins`() throws {
        let (mine, others) = (try one.claimPull(), try other.claimPull())
        let load = try one.beginLoad(set: "Tags", claim: mine)
        #expect(throws: PullClaim.Lost.self) { try other.beginLoad(set: "Tags", claim: others) }
        #expect(throws: PullClaim.Lost.self) { try other.prepareLoads(of: ["Tags", "Orders"], claim: others) }
        // One that begins after it ends it.
        let later = try other.claimPull()
        try other.prepareLoads(of: ["Tags", "Orders"], claim: later)
        Fixture.push([.string("b"), .integer(2), .string("B"), .null], etag: Fixture.etag(2), into: load)
        #expect(throws: PullClaim.Lost.self) { try load.finish() }
        #expect(throws: PullClaim.Lost.self) { try one.forgetDeltaLinks(of: ["Tags"], claim: mine) }
        #expect(try state() == ["A", "link-1"])
    }

    @Test func `a pull ends where somebody else changes what is subscribed to`() throws {
        let mine = try one.claimPull()
        try stage("new", etag: 3, in: one, mine)
        try other.setSubscriptions([Subscription(set: "Tags", filter: "Rank gt 1")])
        #expect(throws: PullClaim.Lost.self) { try apply("link-3", of: one, mine) }
        #expect(try one.subscriptions() == [Subscription(set: "Tags", filter: "Rank gt 1")])
        #expect(try Fixture.rows(one, "Tags").count == 1)
    }
}

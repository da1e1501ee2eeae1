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
        #expect(later.isContested)
        try other.prepareLoads(of: ["Tags", "Orders"], claim: later)
        Fixture.push([.string("b"), .integer(2), .string("B"), .null], etag: Fixture.etag(2), into: load)
        #expect(throws: PullClaim.Lost.self) { try load.finish() }
        #expect(throws: PullClaim.Lost.self) { try one.forgetDeltaLinks(of: ["Tags"], claim: mine) }
        #expect(try state() == ["A", "link-1"])
    }

    @Test func `two pulls of one store hold nothing in common`() throws {
        let (mine, others) = (try one.claimPull(), try one.claimPull())
        try stage("new", etag: 3, in: one, mine)
        // The other one's answer, which is older, has no changes of the set.
        _ = try one.stage(set: "Tags", claim: others).finish()
        #expect(throws: PullClaim.Lost.self) { try apply("link-2", of: one, others) }
        try apply("link-3", of: one, mine)
        #expect(try state() == ["A", "new", "link-3"])
        let (load, second) = (try one.claimPull(), try one.claimPull())
        try one.prepareLoads(of: ["Tags", "Orders"], claim: load)
        #expect(throws: PullClaim.Lost.self) { try one.beginLoad(set: "Orders", claim: second) }
    }

    @Test func `a pull that goes on is told from one that was killed`() throws {
        var mine: PullClaim? = try one.claimPull()
        #expect(try !other.claimPull().isContested)
        try stage("new", etag: 3, in: one, try #require(mine))
        let first = try other.claimPull()
        #expect(first.isContested)
        try stage("newer", etag: 4, in: one, try #require(mine))
        let second = try other.claimPull()
        #expect(second.isContested && !second.isSame(as: first))
        #expect(try other.claimPull().isSame(as: second))
        // Its process knows that it has ended, as where a sync failed; another one has to see that it does nothing.
        mine = nil
        #expect(try !one.claimPull().isContested)
        #expect(try other.claimPull().isContested)
        let last = try other.claimPull()
        _ = try other.stage(set: "Tags", claim: last).finish()
        try apply("link-4", of: other, last)
        #expect(try !other.claimPull().isContested)
        #expect(try state() == ["A", "link-4"])
    }

    @Test func `a pull that waits for an answer shows others that it goes on`() throws {
        let mine = try one.claimPull()
        // Nothing of it lies in the file yet: there is nothing to wait for.
        try mine.beat(in: one)
        #expect(try !other.claimPull().isContested)
        try stage("new", etag: 3, in: one, mine)
        let first = try other.claimPull()
        try mine.beat(in: one)
        let second = try other.claimPull()
        #expect(second.isContested && !second.isSame(as: first))
        // Who took the silence before for its end does not take it over.
        #expect(throws: PullClaim.Lost.self) { try stage("old", etag: 2, in: other, first) }
        try apply("link-3", of: one, mine)
        #expect(try state() == ["A", "new", "link-3"])
        // Nothing of it lies there any more.
        #expect(throws: PullClaim.Lost.self) { try mine.beat(in: one) }
        #expect(try !other.claimPull().isContested)
    }

    @Test func `a pull that was overtaken while it slept takes nothing back`() throws {
        let mine = try one.claimPull()
        try stage("old", etag: 2, in: one, mine)
        let later = try other.claimPull()
        try stage("new", etag: 3, in: other, later)
        #expect(throws: PullClaim.Lost.self) { try mine.beat(in: one) }
        try apply("link-3", of: other, later)
        #expect(try state() == ["A", "new", "link-3"])
    }

    @Test func `a sign of life that cannot be written ends nothing`() async throws {
        let mine = try one.claimPull()
        try stage("new", etag: 3, in: one, mine)
        let first = try other.claimPull()
        // Its transaction is undone at the end, as where the disk is full.
        let sign = Task { [one] in
            while !Task.isCancelled { await Task.yield() }
            try mine.beat(in: one)
        }
        sign.cancel()
        await #expect(throws: CancellationError.self) { try await sign.value }
        #expect(try other.claimPull().isSame(as: first))
        try apply("link-3", of: one, mine)
        #expect(try state() == ["A", "new", "link-3"])
    }

    @Test func `a pull ends where somebody else changes what is subscribed to`() throws {
        let mine = try one.claimPull()
        try stage("new", etag: 3, in: one, mine)
        try other.setSubscriptions(try other.subscriptions())
        try stage("newer", etag: 4, in: one, mine)
        try other.setSubscriptions([Subscription(set: "Tags", filter: "Rank gt 1")])
        #expect(throws: PullClaim.Lost.self) { try apply("link-3", of: one, mine) }
        #expect(try one.subscriptions() == [Subscription(set: "Tags", filter: "Rank gt 1")])
        #expect(try Fixture.rows(one, "Tags").count == 1)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// What happens when two sides change one row.
struct StaleObjectTests {
    let folder: TestFolder
    let store: LocalStore
    let a: EditingContext
    let b: EditingContext
    let mine: ManagedRow
    let theirs: ManagedRow
    let key = Key([.integer(-1)])

    init() throws {
        folder = try TestFolder()
        store = try Conference.store(folder)
        try store.write { try $0.insert(["Name": .string("Swift"), "Color": .string("red")], into: "Tracks") }
        a = EditingContext(store)
        b = EditingContext(store)
        theirs = try #require(try a.object(key, in: "Tracks"))
        mine = try #require(try b.object(key, in: "Tracks"))
    }

    func row(_ name: String, _ color: String) -> [String: Value] {
        ["TrackId": .integer(-1), "Name": .string(name), "Color": .string(color)]
    }

    /// Both change the name, the others save first, and this context's save is refused.
    func clash() throws -> StaleObject {
        try theirs.set(["Name": .string("Theirs"), "Color": .string("blue")])
        try mine.set("Name", .string("Mine"))
        try a.save()
        let error = #expect(throws: StaleObjectsError.self) { try b.save() }
        #expect(error?.objects.count == 1)
        return try #require(error?.objects.first)
    }

    @Test(.covers("MD-I51", "DA-64"))
    func `the conflict carries base, mine and theirs`() throws {
        let conflict = try clash()
        #expect(conflict.set == "Tracks" && conflict.key == key)
        #expect(conflict.base == row("Swift", "red"))
        #expect(conflict.mine == row("Mine", "red"))
        #expect(conflict.theirs == row("Theirs", "blue"))
        #expect(conflict.clashes == ["Name"])
        #expect(mine.isStale && mine.state == .modified)
        #expect(try b.staleObjects() == [conflict])
        #expect(try store.values("Name", of: "Tracks") == [.string("Theirs")])
    }

    @Test(
        .covers("MD-I51", "DA-64"),
        arguments: [
            (StaleObject.Resolution.keepMine, "Mine", "red"), (.keepTheirs, "Theirs", "blue"),
            (.merge(), "Mine", "blue"), (.merge(["Name": .string("Both")]), "Both", "blue"),
        ]
    )
    func `each resolution ends it`(resolution: StaleObject.Resolution, name: String, color: String) throws {
        try b.resolve(clash(), resolution)
        #expect(!mine.isStale)
        #expect(try b.staleObjects() == [])
        #expect(mine.state == (resolution == .keepTheirs ? .unchanged : .modified))
        try b.save()
        #expect(try store.fetch(Conference.plan(store, "Tracks")) == [row(name, color)])
        #expect(mine.state == .unchanged)
        let error = #expect(throws: LocalStoreError.self) {
            try b.resolve(StaleObject(mine, base: mine.values, theirs: nil, clashes: []), .keepMine)
        }
        #expect(error?.code == .noSuchEntry)
    }

    @Test func `changes of different properties merge`() throws {
        try theirs.set("Color", .string("blue"))
        try mine.set("Name", .string("Mine"))
        try a.save()
        #expect(throws: StaleObjectsError.self) { try b.save(.strict) }
        try b.save()
        #expect(try store.fetch(Conference.plan(store, "Tracks")) == [row("Mine", "blue")])
        #expect(try mine["Color"] == .string("blue"))
    }

    @Test(arguments: [(MergePolicy.preferMine, "Mine", "blue"), (.preferTheirs, "Theirs", "blue")])
    func `a policy can decide at once`(policy: MergePolicy, name: String, color: String) throws {
        _ = try clash()
        try b.save(policy)
        #expect(try store.fetch(Conference.plan(store, "Tracks")) == [row(name, color)])
        #expect(mine.state == .unchanged)
        #expect(try mine["Name"] == .string(name))
    }

    @Test(arguments: [(MergePolicy.preferMine, 1), (.preferTheirs, 0)])
    func `a policy decides over deletions too`(policy: MergePolicy, rows: Int) throws {
        try a.delete(theirs)
        try mine.set("Name", .string("Mine"))
        try a.save()
        try b.save(policy)
        #expect(try store.values("Name", of: "Tracks").count == rows)
        #expect(!b.hasChanges && mine.state == (rows == 1 ? .unchanged : .detached))

        let (left, right) = (EditingContext(store), EditingContext(store))
        let key = try store.write { try $0.insert(["Name": .string("Other")], into: "Tracks") }
        let one = try #require(try left.object(key, in: "Tracks"))
        let two = try #require(try right.object(key, in: "Tracks"))
        try one.set("Name", .string("Theirs"))
        try right.delete(two)
        try left.save()
        try right.save(policy)
        let named = try Conference.plan(store, "Tracks", Conference.equal("Name", .string("Theirs")))
        #expect(try store.fetch(named).count == 1 - rows)
        #expect(two.state == (rows == 1 ? .detached : .unchanged))
    }

    @Test func `a row that was deleted there can be given up or made again`() throws {
        try a.delete(theirs)
        try mine.set("Name", .string("Mine"))
        try a.save()
        var error = #expect(throws: StaleObjectsError.self) { try b.save() }
        #expect(error?.objects.first?.theirs == nil && error?.objects.first?.clashes == ["Name"])
        try b.resolve(try #require(error?.objects.first), .keepMine)
        #expect(mine.state == .added)
        try b.save()
        #expect(try store.values("Name", of: "Tracks") == [.string("Mine")])

        let again = try #require(try a.object(mine.key, in: "Tracks"))
        try a.delete(again)
        try mine.set("Name", .string("More"))
        try a.save()
        error = #expect(throws: StaleObjectsError.self) { try b.save() }
        try b.resolve(try #require(error?.objects.first), .keepTheirs)
        #expect(mine.state == .detached && !b.hasChanges)
    }

    @Test func `a deletion meets what was changed there`() throws {
        try theirs.set("Name", .string("Theirs"))
        try b.delete(mine)
        try a.save()
        let error = #expect(throws: StaleObjectsError.self) { try b.save() }
        #expect(error?.objects.first?.mine == nil)
        #expect(error?.objects.first?.theirs == row("Theirs", "red"))
        try b.resolve(try #require(error?.objects.first), .keepTheirs)
        #expect(mine.state == .unchanged)
        #expect(try mine["Name"] == .string("Theirs"))
        try b.delete(mine)
        try b.save()
        #expect(try store.values("Name", of: "Tracks") == [])
    }

    @Test func `commits of others refresh what is clean, mark what is changed and take away what is gone`() throws {
        try store.write { tx in
            for name in ["B", "C", "D"] { try tx.insert(["Name": .string(name)], into: "Tracks") }
        }
        let rows = try [-2, -3, -4].map { try #require(try b.object(Key([.integer($0)]), in: "Tracks")) }
        try rows[1].set("Name", .string("mine"))
        var told: [ContextNews] = []
        b.onRefresh = { told.append($0) }
        try store.write { tx in
            for number in [-2, -3] {
                try tx.update(Key([.integer(Int64(number))]), ["Color": .string("new")], in: "Tracks")
            }
            try tx.delete(Key([.integer(-4)]), in: "Tracks")
        }
        #expect(try rows[0]["Color"] == .null)  // nothing happens behind the caller's back
        let news = try b.catchUp()
        #expect(news.refreshed == [rows[0]] && news.stale == [rows[1]] && news.removed == [rows[2]])
        #expect(told.count == 1 && told[0].refreshed == [rows[0]])
        #expect(try rows[0]["Color"] == .string("new") && rows[1]["Color"] == .null)
        #expect(rows[1].isStale && rows[2].state == .detached)
        #expect(try b.catchUp().isEmpty)
        try b.save()
        #expect(!rows[1].isStale)
        #expect(try rows[1]["Color"] == .string("new") && rows[1]["Name"] == .string("mine"))
        #expect(told.count == 1)  // its own save is no news
    }

    @Test(.covers("DA-72"))
    func `what a sync brings never destroys an unsaved edit`() throws {
        try Fixture.load(store, "Rooms", [([.string("R1"), .integer(5)], 1)])
        let room = try #require(try b.object(Key([.string("R1")]), in: "Rooms"))
        try room.set("Seats", .integer(7))
        try Fixture.stage(store, "Rooms", [([.string("R1"), .integer(6)], 2)])
        try b.catchUp()
        #expect(try room["Seats"] == .integer(7))
        #expect(room.isStale)
        let error = #expect(throws: StaleObjectsError.self) { try b.save() }
        let conflict = try #require(error?.objects.first)
        #expect(conflict.base["Seats"] == .integer(5) && conflict.theirs?["Seats"] == .integer(6))
        try b.resolve(conflict, .keepMine)
        try b.save()
        #expect(try store.values("Seats", of: "Rooms") == [.integer(7)])
        // Saved and not sent, it meets the server as any local write does: both values are kept.
        try Fixture.stage(store, "Rooms", [([.string("R1"), .integer(8)], 3)])
        try #require(try store.conflicts().count == 1)
        #expect(
            try store.conflicts()[0].properties.map { [$0.base, $0.mine, $0.theirs] } == [
                [.integer(6), .integer(7), .integer(8)]
            ]
        )
    }

    @Test func `the stream of commits tells that there is something to look at`() async throws {
        var commits = b.commits.makeAsyncIterator()
        try theirs.set("Name", .string("Theirs"))
        try a.save()
        #expect(await commits.next() != nil)
        #expect(try b.catchUp().refreshed == [mine])
    }
}

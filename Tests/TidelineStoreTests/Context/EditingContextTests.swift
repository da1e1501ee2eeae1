// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// A context as a scratch pad: what it shows, and what a save makes of it.
struct EditingContextTests {
    let folder: TestFolder
    let store: LocalStore
    let context: EditingContext

    init() throws {
        folder = try TestFolder()
        store = try Conference.store(folder)
        try store.write { tx in
            for name in ["Data", "Swift"] { try tx.insert(["Name": .string(name)], into: "Tracks") }
            let track = Value.integer(-2)
            for (title, minutes) in [("Actors", 45), ("Macros", 60), ("Spans", 30)] {
                try tx.insert(
                    ["Title": .string(title), "Minutes": .integer(Int64(minutes)), "TrackId": track],
                    into: "Sessions"
                )
            }
        }
        context = EditingContext(store)
    }

    func titles(_ context: EditingContext, _ plan: ReadPlan) throws -> [String?] {
        try context.fetch(plan).map { try $0.text("Title") }
    }

    @Test func `one row is one object, however it is reached`() throws {
        let track = try #require(try context.object(Key([.integer(-2)]), in: "Tracks"))
        let fetched = try context.fetch(Conference.plan(store, "Tracks", Conference.equal("Name", .string("Swift"))))
        #expect(fetched == [track])
        let session = try #require(try context.fetch(Conference.plan(store, "Sessions", top: 1)).first)
        #expect(try session.related("Track") === track)
        #expect(try context.reference(Key([.integer(-2)]), in: "Tracks") === track)
        #expect(try EditingContext(store).object(Key([.integer(-2)]), in: "Tracks") !== track)
    }

    @Test(.covers("MD-I48"))
    func `unsaved edits are seen in their own context alone, and a rollback takes them back`() throws {
        let other = EditingContext(store)
        let plan = try Conference.plan(store, "Sessions", by: [.path(["Title"])])
        let session = try #require(try context.fetch(plan).first)
        try session.set("Title", .string("Zones"))
        try context.insert(["Title": .string("Fresh")], into: "Sessions")
        try context.delete(context.fetch(plan)[1])
        #expect(try titles(context, plan) == ["Fresh", "Spans", "Zones"])
        #expect(try titles(other, plan) == ["Actors", "Macros", "Spans"])
        #expect(try store.values("Title", of: "Sessions").count == 3)
        context.rollback()
        #expect(!context.hasChanges && !context.canUndo)
        #expect(try titles(context, plan) == ["Actors", "Macros", "Spans"])
        #expect(try session["Title"] == .string("Actors"))
    }

    @Test func `a fetch filters, orders and cuts what was changed as it stands in the context`() throws {
        let long = try Conference.plan(
            store,
            "Sessions",
            .binary(.greaterThan, .path(["Minutes"]), .literal(.integer(40))),
            by: [.path(["Minutes"])]
        )
        let all = try context.fetch(Conference.plan(store, "Sessions", by: [.path(["Title"])]))
        try all[0].set("Minutes", .integer(20))  // Actors leaves the result
        try all[2].set("Minutes", .integer(50))  // Spans comes in
        let new = try context.insert(["Title": .string("Wasm"), "Minutes": .integer(55)], into: "Sessions")
        #expect(try titles(context, long) == ["Spans", "Wasm", "Macros"])
        var cut = long
        cut.skip = 1
        cut.top = 1
        #expect(try context.fetch(cut) == [new])
        #expect(try context.count(long) == 3)
        try context.delete(new)
        #expect(try titles(context, cut) == ["Macros"])
    }

    @Test func `a filter over a relationship sees the pending changes at its other end`() throws {
        let plan = try Conference.plan(store, "Sessions", Conference.equal("Track/Name", .string("Rust")))
        #expect(try titles(context, plan) == [])
        let track = try #require(try context.object(Key([.integer(-2)]), in: "Tracks"))
        try track.set("Name", .string("Rust"))
        #expect(try titles(context, plan) == ["Spans", "Macros", "Actors"])
        let new = try context.insert(["Name": .string("Rust")], into: "Tracks")
        let session = try context.insert(["Title": .string("Late")], into: "Sessions")
        try session.relate("Track", to: new)
        #expect(try titles(context, plan) == ["Late", "Spans", "Macros", "Actors"])
        let counted = Expression.binary(
            .equal,
            .count(of: ["Sessions"], filter: nil, search: nil),
            .literal(.integer(1))
        )
        #expect(try context.fetch(Conference.plan(store, "Tracks", counted)) == [new])
    }

    @Test(.covers("MD-I50"))
    func `an object knows its context, and a save through it saves all of it`() throws {
        let session = try #require(try context.fetch(Conference.plan(store, "Sessions", top: 1)).first)
        try context.insert(["Name": .string("Web")], into: "Tracks")
        try session.set("Minutes", .integer(5))
        #expect(session.context === context)
        try session.context?.save()
        #expect(try store.values("Name", of: "Tracks") == [.string("Web"), .string("Swift"), .string("Data")])
        #expect(try store.values("Minutes", of: "Sessions").first == .integer(5))
        let pending = try store.pendingTransactions()
        #expect(pending.map { $0.changes.count } == [5, 2])
    }

    @Test(.covers("MD-I06"))
    func `three are added, one is changed, one deleted, and after a restart the right two are there`() throws {
        let rooms = try ["A", "B", "C"].map { try context.insert(["Code": .string($0)], into: "Rooms") }
        try context.save()
        try rooms[1].set("Seats", .integer(12))
        try context.delete(rooms[0])
        try context.save()
        try store.close()
        let again = EditingContext(try LocalStore(path: folder.file("conference.tideline")))
        let found = try again.fetch(Conference.plan(again.store, "Rooms", by: [.path(["Code"])]))
        #expect(try found.map { try $0.text("Code") } == ["B", "C"])
        #expect(try found.map { try $0["Seats"] } == [.integer(12), .null])
    }

    @Test(.covers("MD-I95"))
    func `dropping clean objects empties the map, and what is asked for later is read again`() throws {
        weak var first: ManagedRow?
        try context.fetch(Conference.plan(store, "Sessions")).first?.set("Minutes", .integer(1))
        do {
            first = try context.fetch(Conference.plan(store, "Tracks")).first
        }
        #expect(context.registeredCount == 5)
        #expect(first != nil)
        context.dropCleanObjects()
        #expect(context.registeredCount == 1)  // the changed one
        #expect(first == nil)
        try store.write { try $0.update(Key([.integer(-1)]), ["Name": .string("Renamed")], in: "Tracks") }
        #expect(try context.object(Key([.integer(-1)]), in: "Tracks")?.text("Name") == "Renamed")
        #expect(context.registeredCount == 2)
    }

    @Test func `a context keeps no more clean objects than it was told`() throws {
        try store.write { tx in
            for number in 0..<100 { try tx.insert(["Code": .string("R\(number)")], into: "Rooms") }
        }
        context.keptObjects = 10
        _ = try context.fetch(Conference.plan(store, "Rooms"))
        #expect(context.registeredCount <= 20)
        context.keptObjects = 0
        #expect(context.registeredCount == 0)
    }

    @Test func `all failures of a save are told at once, each with its object`() throws {
        let track = try context.insert(into: "Tracks")
        let long = Value.string(String(repeating: "x", count: 21))
        let talk = try context.insert(["Title": long], into: "Sessions")
        try talk.relate("Track", to: track)
        let error = #expect(throws: LocalStoreError.self) { try context.save() }
        let failures = try #require(error?.failures)
        #expect(failures.map(\.rule) == [.required, .maxLength])
        #expect(failures.map(\.properties) == [["Name"], ["Title"]])
        #expect(failures.compactMap(context.row) == [track, talk])
        try track.set("Name", .string("Web"))
        try talk.set("Title", .string("x"))
        try context.save()
        #expect(try talk.related("Track") === track)
    }
}

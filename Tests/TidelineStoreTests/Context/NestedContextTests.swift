// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// Contexts over contexts.
struct NestedContextTests {
    let folder: TestFolder
    let store: LocalStore
    let parent: EditingContext
    let child: EditingContext

    init() throws {
        folder = try TestFolder()
        store = try Conference.store(folder)
        try store.write { try $0.insert(["Name": .string("Swift")], into: "Tracks") }
        parent = EditingContext(store)
        child = EditingContext(parent: parent)
    }

    @Test func `a child sees the parent's changes, and hands its own over when it saves`() throws {
        let outer = try #require(try parent.object(Key([.integer(-1)]), in: "Tracks"))
        try outer.set("Name", .string("Outer"))
        let inner = try #require(try child.object(Key([.integer(-1)]), in: "Tracks"))
        #expect(try inner["Name"] == .string("Outer") && inner.state == .unchanged)
        try inner.set("Color", .string("red"))
        #expect(try outer["Color"] == .null)
        try child.save()
        #expect(try outer["Color"] == .string("red") && inner.state == .unchanged)
        #expect(try store.values("Name", of: "Tracks") == [.string("Swift")])
        #expect(!child.hasChanges && parent.hasChanges)
        parent.undo()
        #expect(try outer["Color"] == .null && outer["Name"] == .string("Outer"))
        try child.catchUp()
        #expect(try inner["Color"] == .null)
    }

    @Test func `new objects keep their identity through both saves`() throws {
        let track = try child.insert(["Name": .string("New")], into: "Tracks")
        let talk = try child.insert(["Title": .string("Talk")], into: "Sessions")
        try talk.relate("Track", to: track)
        try child.save()
        #expect(track.state == .unchanged)
        let plan = try Conference.plan(store, "Sessions")
        let outer = try #require(try parent.fetch(plan).first)
        #expect(outer.state == .added)
        #expect(try outer.related("Track")?.text("Name") == "New")
        try parent.save()
        #expect(try track.key == outer.related("Track")?.key)
        #expect(try talk.related("Track") === track && talk["TrackId"] == track["TrackId"])
        #expect(try child.fetch(plan) == [talk])
        #expect(try store.values("TrackId", of: "Sessions") == [track.key.values[0]])
        try child.delete(talk)
        try child.save()
        #expect(outer.isDeleted)
        try parent.save()
        #expect(try store.values("Title", of: "Sessions") == [])
    }

    @Test func `two children meet as two contexts do`() throws {
        let other = EditingContext(parent: parent)
        let one = try #require(try child.object(Key([.integer(-1)]), in: "Tracks"))
        let two = try #require(try other.object(Key([.integer(-1)]), in: "Tracks"))
        try one.set("Name", .string("One"))
        try two.set("Name", .string("Two"))
        try child.save()
        let error = #expect(throws: StaleObjectsError.self) { try other.save() }
        let conflict = try #require(error?.objects.first)
        #expect(
            [conflict.base, conflict.mine, conflict.theirs].map { $0?["Name"] }
                == ["Swift", "Two", "One"].map { .string($0) }
        )
        try other.resolve(conflict, .keepMine)
        try other.save()
        try parent.save()
        #expect(try store.values("Name", of: "Tracks") == [.string("Two")])
        try child.catchUp()
        #expect(try one["Name"] == .string("Two"))
    }

    @Test func `a child's object whose new parent object is rolled back is gone`() throws {
        let outer = try parent.insert(["Name": .string("New")], into: "Tracks")
        let inner = try #require(try child.object(outer.key, in: "Tracks"))
        parent.rollback()
        #expect(try child.catchUp().removed == [inner])
        #expect(inner.state == .detached)
    }

    @Test func `an edit of a child follows the key of the server, also where the parent let the object go`() throws {
        let inner = try #require(try child.object(Key([.integer(-1)]), in: "Tracks"))
        try inner.set("Color", .string("red"))
        parent.dropCleanObjects()
        #expect(parent.knownRows.isEmpty)
        try Fixture.send(store)
        let row = AcceptedRow(
            place: 0,
            key: Key([.integer(71)]),
            etag: Fixture.etag(9),
            values: [.integer(71), .string("Swift"), .null]
        )
        try store.settle([.accepted(number: 1, rows: [row])])
        #expect(try child.catchUp().stale == [])
        #expect(inner.key == Key([.integer(71)]) && inner.state == .modified && !inner.isStale)
        try child.save()
        try parent.save()
        #expect(try store.values("TrackId", of: "Tracks") == [.integer(71)])
        #expect(try store.values("Color", of: "Tracks") == [.string("red")])
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// Unsaved drafts over a restart of the app.
struct DraftTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Opens the store as a new start of the app does.
    func reopened(_ store: LocalStore) throws -> LocalStore {
        try store.close()
        return try LocalStore(path: folder.file("conference.tideline"))
    }

    @Test(.covers("MD-I94"))
    func `after a restart the screen, the record and the unsaved draft are back`() throws {
        var store = try Conference.store(folder)
        try store.write { tx in
            for name in ["Swift", "Data"] { try tx.insert(["Name": .string(name)], into: "Tracks") }
        }
        var context = EditingContext(store)
        let track = try #require(try context.object(Key([.integer(-1)]), in: "Tracks"))
        try track.set("Name", .string("a name that is far too long for a track"))
        let talk = try context.insert(["Title": .string("Talk")], into: "Sessions", isEditing: true)
        try talk.relate("Track", to: track)
        let mark = try context.insert(["Stars": .integer(3)], into: "Marks")
        let session = try context.insert(["Title": .string("Kept")], into: "Sessions")
        try session.add(mark, to: "Marks")
        try context.delete(#require(try context.object(Key([.integer(-2)]), in: "Tracks")))
        let bytes = try context.draft(screen: "tracks/-1/edit", selection: [talk, track])

        store = try reopened(store)
        context = EditingContext(store)
        let restored = try context.restore(draft: bytes)
        #expect(restored.screen == "tracks/-1/edit")
        try #require(restored.selection.count == 2)
        let (again, record) = (restored.selection[0], restored.selection[1])
        #expect(again.state == .addedInEditMode)
        #expect(try again.text("Title") == "Talk" && again.related("Track") === record)
        #expect(record.modifiedProperties == ["Name"])
        #expect(try record.text("Name") == "a name that is far too long for a track")
        #expect(try record.originalValue("Name") == .string("Swift"))
        #expect(try context.fetch(Conference.plan(store, "Tracks")) == [record])
        try record.set("Name", .string("short"))
        try context.save()
        #expect(try store.values("Name", of: "Tracks") == [.string("short")])
        #expect(try store.values("Title", of: "Sessions") == [.string("Kept")])
        #expect(try store.fetch(Conference.plan(store, "Marks")).map { $0["Stars"] } == [.integer(3)])
        try again.cancelEditing()
        #expect(!context.hasChanges)
    }

    @Test func `what was changed meanwhile is a conflict, and keys that were made meanwhile are taken`() throws {
        var store = try Conference.store(folder)
        try store.write { try $0.insert(["Name": .string("Swift")], into: "Tracks") }
        var context = EditingContext(store)
        let track = try #require(try context.object(Key([.integer(-1)]), in: "Tracks"))
        try track.set("Name", .string("Mine"))
        let talk = try context.insert(["Title": .string("Talk")], into: "Sessions")
        try talk.relate("Track", to: track)
        let bytes = try context.draft()
        try Fixture.send(store)
        try store.settle([
            .accepted(
                number: 1,
                rows: [
                    AcceptedRow(
                        place: 0,
                        key: Key([.integer(71)]),
                        etag: nil,
                        values: [.integer(71), .string("Theirs"), .null]
                    )
                ]
            )
        ])
        store = try reopened(store)
        context = EditingContext(store)
        try context.restore(draft: bytes)
        #expect(try context.staleObjects().map(\.clashes) == [["Name"]])
        let conflict = try #require(try context.staleObjects().first)
        #expect(conflict.key == Key([.integer(71)]))
        try context.resolve(conflict, .keepMine)
        try context.save()
        #expect(try store.values("Name", of: "Tracks") == [.string("Mine")])
        #expect(try store.values("TrackId", of: "Sessions") == [.integer(71)])
    }

    @Test func `what is no draft is refused and changes nothing`() throws {
        let context = EditingContext(try Conference.store(folder))
        try context.insert(["Name": .string("x")], into: "Tracks")
        let bytes = try context.draft(screen: "s")
        #expect(throws: LocalStoreError.self) { try context.restore(draft: bytes) }
        context.rollback()
        for length in 0..<bytes.count {
            let error = #expect(throws: LocalStoreError.self) { try context.restore(draft: Array(bytes[..<length])) }
            #expect(error?.code == .corrupt)
            #expect(!context.hasChanges)
        }
        #expect(try context.restore(draft: bytes).screen == "s")
        #expect(context.changedRows.count == 1)
    }
}

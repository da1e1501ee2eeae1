// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// What an object of a context knows of its own properties.
struct ManagedRowTests {
    let folder: TestFolder
    let store: LocalStore
    let context: EditingContext
    let track: ManagedRow

    init() throws {
        folder = try TestFolder()
        store = try Conference.store(folder)
        try store.write { tx in
            try tx.insert(["Name": .string("Swift"), "Color": .string("red")], into: "Tracks")
            try tx.insert(["Name": .string("Data")], into: "Tracks")
        }
        try Fixture.send(store)
        context = EditingContext(store)
        track = try #require(try context.object(Key([.integer(-1)]), in: "Tracks"))
    }

    @Test(.covers("MD-I49", "SB-F056", "SB-F057"))
    func `setting a property marks it alone, setting an equal value marks nothing`() throws {
        #expect(try track.slot("Name") == .loaded)
        #expect(track.state == .unchanged)
        try track.set("Name", .string("Swift"))
        #expect(track.state == .unchanged && !context.hasChanges)
        #expect(try track.slot("Name") == .loaded)
        try track.set("Name", .string("Server"))
        #expect(track.modifiedProperties == ["Name"])
        #expect(try track.slot("Name") == [.loaded, .modified])
        #expect(try track.slot("Color") == .loaded)
        #expect(context.changedRows == [track])
        try context.save()
        #expect(track.modifiedProperties == [])
        #expect(try track.slot("Name") == .loaded)
        let sent = try store.pendingTransactions().last?.changes.map(\.change)
        #expect(
            sent == [
                Change(
                    set: "Tracks",
                    key: Key([.integer(-1)]),
                    operation: .update,
                    assignments: [.init(property: 1, before: .string("Swift"), after: .string("Server"))]
                )
            ]
        )
    }

    @Test func `a value that is set back is no change any more`() throws {
        try track.set("Name", .string("Other"))
        #expect(track.state == .modified)
        try track.set("Name", .string("Swift"))
        #expect(track.state == .unchanged && !context.hasChanges)
    }

    @Test(.covers("SB-F058"))
    func `an object is new until it is saved, and modified by any property`() throws {
        let new = try context.insert(["Name": .string("New")], into: "Tracks")
        #expect(new.isNew && !new.isModified && new.hasChanges)
        #expect(try new.slot("Name") == [.loaded, .modified] && new.slot("Color") == .loaded)
        try context.save()
        #expect(!new.isNew && !new.hasChanges)
        #expect(new.key == Key([.integer(-3)]))
        try new.set("Color", .string("blue"))
        #expect(!new.isNew && new.isModified)
        try context.save()
        #expect(try store.values("Color", of: "Tracks") == [.string("blue"), .null, .string("red")])
    }

    @Test(.covers("SB-F059"))
    func `an object that is marked for deletion is deleted by the save`() throws {
        try context.delete(track)
        #expect(track.isDeleted)
        #expect(try store.values("Name", of: "Tracks") == [.string("Data"), .string("Swift")])
        #expect(try context.object(Key([.integer(-1)]), in: "Tracks") == nil)
        try context.save()
        #expect(try store.values("Name", of: "Tracks") == [.string("Data")])
        #expect(track.state == .detached && track.context == nil)
    }

    @Test(.covers("SB-F061"))
    func `a property that was not loaded is read on demand, and is an error without a row`() throws {
        let other = EditingContext(store)
        let lazy = try other.reference(Key([.integer(-2)]), in: "Tracks")
        #expect(try lazy.slot("Name") == [] && lazy.slot("TrackId") == .loaded)
        #expect(lazy.state == .unchanged)
        #expect(try lazy["Name"] == .string("Data"))
        #expect(try lazy.slot("Name") == .loaded)
        #expect(try other.object(Key([.integer(-2)]), in: "Tracks") === lazy)
        let nothing = try other.reference(Key([.integer(-9)]), in: "Tracks")
        #expect(throws: LocalStoreError.self) { try nothing["Name"] }
        let error = #expect(throws: LocalStoreError.self) { try lazy["Nmae"] }
        #expect(error?.code == .unknownProperty && error?.properties == ["Nmae"])
    }

    @Test func `what no property can take is refused at once, the rest at the save`() throws {
        #expect(throws: LocalStoreError.self) { try track.set("Name", .integer(1)) }
        #expect(throws: LocalStoreError.self) { try track.set("TrackId", .integer(5)) }
        try track.set("Name", .string(String(repeating: "x", count: 21)))
        let error = #expect(throws: LocalStoreError.self) { try context.save() }
        #expect(error?.code == .invalidValue && error?.properties == ["Name"])
        #expect(track.state == .modified)
        try track.set("Name", .string("short"))
        try context.save()
        #expect(try store.values("Name", of: "Tracks") == [.string("Data"), .string("short")])
    }

    /// Every transition of the states, as the table of ``RowState`` draws them.
    @Test(.covers("DA-47"))
    func `each transition of states ends where the table says`() throws {
        #expect(track.state == .unchanged)
        try track.set("Color", .null)
        #expect(track.state == .modified)
        try track.revert()
        #expect(track.state == .unchanged)
        try context.delete(track)
        #expect(track.state == .deleted)
        try track.revert()
        #expect(track.state == .unchanged)
        try track.set("Color", .null)
        try context.delete(track)
        #expect(track.state == .deleted)
        context.undo()
        #expect(track.state == .modified)
        try context.save()
        #expect(track.state == .unchanged)

        let added = try context.insert(["Name": .string("A")], into: "Tracks")
        #expect(added.state == .added)
        try added.set("Name", .string("B"))
        #expect(added.state == .added)
        try context.delete(added)
        #expect(added.state == .detached)
        let editing = try context.insert(["Name": .string("E")], into: "Tracks", isEditing: true)
        #expect(editing.state == .addedInEditMode)
        try editing.post()
        #expect(editing.state == .added)
        try context.save()
        #expect(editing.state == .unchanged)
        let abandoned = try context.insert(into: "Tracks", isEditing: true)
        try abandoned.cancelEditing()
        #expect(abandoned.state == .detached)
        let rolled = try context.insert(into: "Tracks")
        try context.delete(editing)
        context.rollback()
        #expect(rolled.state == .detached && editing.state == .unchanged)
        try context.delete(editing)
        try context.save()
        #expect(editing.state == .detached)
    }

    @Test(.covers("DA-48", "MD-I05"))
    func `cancelling edits restores what was pending before, not what the store has`() throws {
        try track.set("Name", .string("pending"))
        try track.beginEditing()
        try track.set("Name", .string("tried"))
        try track.set("Color", .string("green"))
        #expect(track.isEditing)
        try track.cancelEditing()
        #expect(try track["Name"] == .string("pending") && track["Color"] == .string("red"))
        #expect(track.modifiedProperties == ["Name"])

        try track.beginEditing()
        try track.set("Color", .string("green"))
        try track.post()
        #expect(track.modifiedProperties == ["Name", "Color"])
        context.undo()
        #expect(track.modifiedProperties == ["Name"])
    }

    @Test(.covers("MD-I05"))
    func `an edit that is cancelled changes no list, and an abandoned object leaves nothing`() throws {
        let all = try Conference.plan(store, "Tracks")
        let before = try context.fetch(all).map { try $0.text("Name") }
        try track.beginEditing()
        try track.set("Name", .string("tried"))
        try track.cancelEditing()
        #expect(try context.fetch(all).map { try $0.text("Name") } == before)
        let new = try context.insert(["Name": .string("new")], into: "Tracks", isEditing: true)
        #expect(try context.count(all) == 3)
        try new.cancelEditing()
        #expect(try context.count(all) == 2)
        #expect(!context.hasChanges && !context.canUndo)
        try context.save()
        #expect(try store.status().pendingTransactions == 1)
    }

    @Test func `what is not posted is not saved`() throws {
        try track.set("Name", .string("pending"))
        try track.beginEditing()
        try track.set("Name", .string("tried"))
        let new = try context.insert(["Name": .string("new")], into: "Tracks", isEditing: true)
        try context.save()
        #expect(try store.values("Name", of: "Tracks") == [.string("Data"), .string("pending")])
        #expect(try track["Name"] == .string("tried"))
        #expect(new.state == .addedInEditMode)
        try track.cancelEditing()
        #expect(try track["Name"] == .string("pending") && track.state == .unchanged)
        try new.post()
        try context.save()
        #expect(try store.values("Name", of: "Tracks") == [.string("new"), .string("Data"), .string("pending")])
    }

    @Test(.covers("DA-49"))
    func `one property, one object and a whole set can be reverted`() throws {
        let other = try #require(try context.object(Key([.integer(-2)]), in: "Tracks"))
        let room = try context.insert(["Code": .string("R1")], into: "Rooms")
        try track.set(["Name": .string("a"), "Color": .string("b")])
        try track.revert("Name")
        #expect(try track["Name"] == .string("Swift") && track["Color"] == .string("b"))
        #expect(try track.originalValue("Color") == .string("red"))
        try track.revert()
        #expect(track.state == .unchanged)
        try track.set("Color", .string("c"))
        try context.delete(other)
        let new = try context.insert(into: "Tracks")
        try context.revert(set: "Tracks")
        #expect([track.state, other.state, new.state, room.state] == [.unchanged, .unchanged, .detached, .added])
        context.undo()
        #expect([track.state, other.state, new.state] == [.modified, .deleted, .added])
    }
}

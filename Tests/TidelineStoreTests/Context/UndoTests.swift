// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// Undo and redo, also over a save.
struct UndoTests {
    let folder: TestFolder
    let store: LocalStore
    let context: EditingContext

    init() throws {
        folder = try TestFolder()
        store = try Conference.store(folder)
        context = EditingContext(store)
    }

    @Test(.covers("MD-I66"))
    func `undoing a delete brings the object and its relationships back`() throws {
        let swift = try context.insert(["Name": .string("Swift")], into: "Tracks")
        let talk = try context.insert(["Title": .string("Talk")], into: "Sessions")
        let mark = try context.insert(["Stars": .integer(5)], into: "Marks")
        try swift.add(talk, to: "Sessions")
        try talk.add(mark, to: "Marks")
        try context.save()
        try context.delete(talk)
        #expect(talk.isDeleted && mark.isDeleted)
        #expect(context.undo())
        #expect(talk.state == .unchanged && mark.state == .unchanged)
        #expect(try swift.relatedRows("Sessions") == [talk] && talk.relatedRows("Marks") == [mark])
        #expect(context.redo())
        #expect(talk.isDeleted && mark.isDeleted)
        #expect(try swift.relatedRows("Sessions") == [])
    }

    @Test(.covers("MD-I66"))
    func `an undo after the save makes the opposite pending`() throws {
        let swift = try context.insert(["Name": .string("Swift")], into: "Tracks")
        let talk = try context.insert(["Title": .string("Talk")], into: "Sessions")
        let mark = try context.insert(["Stars": .integer(5)], into: "Marks")
        try swift.add(talk, to: "Sessions")
        try talk.add(mark, to: "Marks")
        try context.save()
        let saved = talk.key
        try context.delete(swift)
        try context.delete(talk)
        try context.save()
        #expect(try store.values("Title", of: "Sessions") == [] && store.values("Stars", of: "Marks") == [])
        context.undo()
        context.undo()
        #expect([swift.state, talk.state, mark.state] == [.added, .added, .added])
        #expect(try talk.related("Track") === swift && mark.related("Session") === talk)
        try context.save()
        #expect(talk.key != saved)
        #expect(try talk.related("Track") === swift && talk.relatedRows("Marks") == [mark])
        #expect(try store.values("SessionId", of: "Marks") == [talk.key.values[0]])
        #expect(try store.values("TrackId", of: "Sessions") == [swift.key.values[0]])
        context.redo()
        context.redo()
        #expect(swift.isDeleted && talk.isDeleted && mark.isDeleted)
        try context.save()
        #expect(try store.values("Name", of: "Tracks") == [])
        context.undo()
        context.undo()
        #expect(try talk.related("Track") === swift && mark.related("Session") === talk)
    }

    @Test func `a group is one step, and one that throws leaves nothing`() throws {
        struct Stop: Error {}
        try context.group {
            let one = try context.insert(["Name": .string("1")], into: "Tracks")
            try one.set("Color", .string("red"))
            try context.insert(["Name": .string("2")], into: "Tracks")
        }
        #expect(context.changedRows.count == 2)
        #expect(throws: Stop.self) {
            try context.group {
                try context.insert(["Name": .string("3")], into: "Tracks")
                throw Stop()
            }
        }
        #expect(try context.changedRows.map { try $0.text("Name") } == ["1", "2"])
        context.undo()
        #expect(!context.hasChanges && !context.canUndo && context.canRedo)
        context.redo()
        #expect(try context.changedRows.map { try $0.text("Color") } == ["red", nil])
    }

    @Test func `a new change forgets what could be done again, and old steps are forgotten`() throws {
        let track = try context.insert(["Name": .string("0")], into: "Tracks")
        context.undoLimit = 3
        for number in 1...5 { try track.set("Name", .string("\(number)")) }
        var steps = 0
        while context.undo() { steps += 1 }
        #expect(steps == 3)
        #expect(try track["Name"] == .string("2"))
        #expect(context.canRedo)
        try track.set("Color", .string("red"))
        #expect(!context.canRedo && !context.redo())
    }

    @Test func `a saved insert that is taken back is deleted by the next save`() throws {
        let track = try context.insert(["Name": .string("Swift")], into: "Tracks")
        try context.save()
        context.undo()
        #expect(track.isDeleted)
        try context.save()
        #expect(try store.values("Name", of: "Tracks") == [])
        context.redo()
        #expect(track.state == .added)
        try context.save()
        #expect(try store.values("Name", of: "Tracks") == [.string("Swift")])
    }
}

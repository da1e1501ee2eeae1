// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// Relationships and delete rules in a context.
struct RelationshipTests {
    let folder: TestFolder
    let store: LocalStore
    let context: EditingContext

    init() throws {
        folder = try TestFolder()
        store = try Conference.store(folder)
        context = EditingContext(store)
    }

    func track(_ name: String) throws -> ManagedRow { try context.insert(["Name": .string(name)], into: "Tracks") }

    func session(_ title: String) throws -> ManagedRow {
        try context.insert(["Title": .string(title)], into: "Sessions")
    }

    @Test(.covers("MD-I44"), arguments: [false, true])
    func `both ends of a relationship say the same, saved or not`(isSaved: Bool) throws {
        let (swift, data) = (try track("Swift"), try track("Data"))
        let talk = try session("Talk")
        if isSaved { try context.save() }
        try swift.add(talk, to: "Sessions")
        #expect(try talk.related("Track") === swift)
        #expect(try swift.relatedRows("Sessions") == [talk] && data.relatedRows("Sessions") == [])
        try talk.relate("Track", to: data)
        #expect(try swift.relatedRows("Sessions") == [] && data.relatedRows("Sessions") == [talk])
        try data.remove(talk, from: "Sessions")
        #expect(try talk.related("Track") == nil && data.relatedRows("Sessions") == [])
        try swift.remove(talk, from: "Sessions")
        try talk.relate("Track", to: swift)
        try context.save()
        #expect(try talk.related("Track") === swift && swift.relatedRows("Sessions") == [talk])
        #expect(try store.values("TrackId", of: "Sessions") == [swift.key.values[0]])
    }

    @Test func `new objects may refer to each other in a circle and to themselves`() throws {
        let (one, two, three) = (try session("1"), try session("2"), try session("3"))
        try one.relate("Prior", to: two)
        try two.relate("Prior", to: one)
        try three.relate("Prior", to: three)
        try context.save()
        #expect(try one.related("Prior") === two && two.related("Prior") === one && three.related("Prior") === three)
        #expect(try one.relatedRows("Later") == [two])
        let other = EditingContext(store)
        let again = try #require(try other.object(one.key, in: "Sessions")?.related("Prior")?.related("Prior"))
        #expect(again.key == one.key)
    }

    @Test func `objects of other sets or contexts are refused`() throws {
        let talk = try session("Talk")
        #expect(throws: LocalStoreError.self) { try talk.relate("Track", to: talk) }
        let stranger = try EditingContext(store).insert(["Name": .string("x")], into: "Tracks")
        #expect(throws: LocalStoreError.self) { try talk.relate("Track", to: stranger) }
        #expect(throws: LocalStoreError.self) { try talk.relate("Marks", to: nil) }
        let nameless = try context.insert(into: "Rooms")
        let error = #expect(throws: LocalStoreError.self) { try talk.relate("Room", to: nameless) }
        #expect(error?.code == .invalidKey)
        #expect(try talk["RoomCode"] == .null)
    }

    @Test func `who refers to a new object follows the key that it gets`() throws {
        let room = try context.insert(["Code": .string("R1")], into: "Rooms")
        let talk = try session("Talk")
        try talk.relate("Room", to: room)
        try room.set("Code", .string("R2"))
        #expect(try talk["RoomCode"] == .string("R2") && talk.related("Room") === room)
        context.undo()
        #expect(try talk["RoomCode"] == .string("R1") && talk.related("Room") === room)
        context.redo()
        try context.save()
        #expect(try store.values("RoomCode", of: "Sessions") == [.string("R2")])
    }

    @Test(.covers("MD-I45"))
    func `a cascade deletes the dependents in one transaction`() throws {
        let talk = try session("Talk")
        let other = try session("Other")
        for stars in 1...3 {
            let mark = try context.insert(["Stars": .integer(Int64(stars))], into: "Marks")
            try talk.add(mark, to: "Marks")
        }
        let kept = try context.insert(into: "Marks")
        try other.add(kept, to: "Marks")
        try context.save()
        let marks = try talk.relatedRows("Marks")
        #expect(marks.count == 3)
        try Fixture.send(store)
        let listener = CommitListener(store, [0, 1, 2, 3])
        try context.delete(talk)
        #expect(marks.allSatisfy { $0.isDeleted } && kept.state == .unchanged)
        #expect(try store.values("Stars", of: "Marks").count == 4)
        try context.save()
        // One transaction, that touched sessions and marks.
        #expect(store.broadcaster.take(listener.id).sets.keys.sorted() == [1, 2])
        let sent = try store.pendingChanges().filter { $0.transaction != 1 }
        #expect(sent.map(\.operation) == [.delete, .delete, .delete, .delete])
        #expect(Set(sent.map(\.transaction)) == [2])
        #expect(try store.values("MarkId", of: "Marks") == [kept.key.values[0]])
        #expect(try store.values("Title", of: "Sessions") == [.string("Other")])
        #expect(marks.allSatisfy { $0.state == .detached })
    }

    @Test(.covers("MD-I46"))
    func `a deleted object is taken out of its relationships`() throws {
        let swift = try track("Swift")
        let (one, two) = (try session("1"), try session("2"))
        for talk in [one, two] { try swift.add(talk, to: "Sessions") }
        try two.relate("Prior", to: one)
        try context.save()
        try context.delete(one)
        #expect(try swift.relatedRows("Sessions") == [two])
        #expect(try two.related("Prior") == nil && two["PriorId"] == .null)
        try context.delete(swift)
        #expect(try two.related("Track") == nil)
        try context.save()
        #expect(try store.fetch(Conference.plan(store, "Sessions")).map { $0["TrackId"] } == [.null])
        #expect(try store.values("Name", of: "Tracks") == [])
    }

    @Test(.covers("MD-I46"))
    func `a reference that is needed cannot be taken away by a save`() throws {
        let talk = try session("Talk")
        let mark = try context.insert(into: "Marks")
        try talk.add(mark, to: "Marks")
        try context.save()
        try talk.remove(mark, from: "Marks")
        #expect(try talk.relatedRows("Marks") == [])
        let error = #expect(throws: LocalStoreError.self) { try context.save() }
        #expect(error?.code == .nullValue && error?.properties == ["SessionId"])
        #expect(context.hasChanges)
        try mark.revert()
        try context.save()
        #expect(try talk.relatedRows("Marks") == [mark])
    }

    @Test(.covers("MD-I46"))
    func `a rule that denies refuses the save while dependents exist`() throws {
        let room = try context.insert(["Code": .string("R1")], into: "Rooms")
        let talk = try session("Talk")
        try talk.relate("Room", to: room)
        try context.save()
        try context.delete(room)
        let error = #expect(throws: LocalStoreError.self) { try context.save() }
        #expect(error?.code == .stillReferenced && error?.set == "Sessions")
        #expect(room.isDeleted)
        try talk.relate("Room", to: nil)
        try context.save()
        #expect(try store.values("Code", of: "Rooms") == [])
        #expect(room.state == .detached)
    }

    @Test func `a deleted key can be taken by a new object in the same save`() throws {
        let old = try context.insert(["Code": .string("R1"), "Seats": .integer(5)], into: "Rooms")
        let talk = try session("Talk")
        try talk.relate("Room", to: old)
        try context.save()
        try context.delete(old)
        let new = try context.insert(["Code": .string("R1"), "Seats": .integer(9)], into: "Rooms")
        #expect(try talk.related("Room") === new)
        try context.save()
        #expect(try store.values("Seats", of: "Rooms") == [.integer(9)])
        #expect(try context.object(Key([.string("R1")]), in: "Rooms") === new)
    }
}

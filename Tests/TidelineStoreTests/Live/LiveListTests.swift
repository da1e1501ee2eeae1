// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelineStore

struct LiveListTests {
    let shelf: ListShelf
    private var store: LocalStore { shelf.store }

    init() throws { shelf = try ListShelf() }

    @Test(.covers("MD-I59"))
    func `the first row brings its section, and the last one takes it along`() throws {
        let list = try store.list(of: shelf.plan(), sectionedBy: ListShelf.path(.genre))
        var mirror = ListMirror()
        let empty = try #require(try list.update())
        #expect(empty == ListBatch(isFirst: true, changes: []))
        mirror.apply(empty)
        #expect(list.count == 0)
        #expect(list.sections.isEmpty)

        try shelf.insert(1, "Alien", genre: "Horror")
        let first = try #require(try list.update())
        #expect(first.isFirst == false)
        #expect(first.words == ["insert section Horror to 0", "insert 1 to 0.0"])
        mirror.apply(first)
        #expect(mirror.sections == [ListSection(value: .string("Horror"), keys: [ListShelf.key(1)])])
        #expect(mirror.sections == list.sections)

        try shelf.delete(1)
        let last = try #require(try list.update())
        #expect(last.words == ["delete 1 from 0.0", "delete section Horror from 0"])
        mirror.apply(last)
        #expect(mirror == ListMirror())
        #expect(list.sections.isEmpty)
    }

    @Test(.covers("MD-I57"))
    func `a row whose sort value changes is told as one move with its old and new place`() throws {
        for (id, title) in [(1, "A"), (2, "B"), (3, "C")] { try shelf.insert(Int64(id), title) }
        let list = try store.list(of: shelf.plan(by: [(.title, false)]))
        let all = try #require(try list.update())
        #expect(all.words == ["insert section null to 0", "insert 1 to 0.0", "insert 2 to 0.1", "insert 3 to 0.2"])
        try shelf.update(1, ["Title": .string("Z")])
        #expect(try list.update()?.words == ["move 1 from 0.0 to 0.2"])
        #expect(try list[0, 2]?["Title"] == .string("Z"))
        // It stays between the same rows: an update.
        try shelf.update(3, ["Title": .string("D")])
        #expect(try list.update()?.words == ["update 3 from 0.1 to 0.1"])
    }

    @Test(.covers("MD-I09"))
    func `editing one record is told as exactly one update`() async throws {
        for id in 1...5 as ClosedRange<Int64> { try shelf.insert(id, "Film \(id)", rank: id) }
        let list = try store.list(of: shelf.plan(by: [(.rank, false)]))
        var changes = list.changes.makeAsyncIterator()
        #expect(try await changes.next()?.isFirst == true)
        try shelf.update(3, ["Title": .string("Stalker")])
        #expect(try await changes.next()?.words == ["update 3 from 0.2 to 0.2"])
        // An equal value is no change, so the next batch is that of the next change.
        try shelf.update(3, ["Title": .string("Stalker")])
        try shelf.update(4, ["Seen": .boolean(true)])
        #expect(try await changes.next()?.words == ["update 4 from 0.3 to 0.3"])
        #expect(try list[0, 3]?["Seen"] == .boolean(true))
    }

    @Test(.covers("MD-I58"))
    func `sections are ordered, have names of their own, and go when they are empty`() throws {
        try shelf.insert(1, "Alien", genre: "Horror", rank: 1)
        try shelf.insert(2, "Brazil", genre: "Comedy", rank: 1)
        try shelf.insert(3, "Cube", genre: "Horror", rank: 2)
        try shelf.insert(4, "Dune", rank: 5)
        let list = try store.list(of: shelf.plan(by: [(.rank, true)]), sectionedBy: ListShelf.path(.genre))
        let all = try #require(try list.update())
        #expect(
            all.words == [
                "insert section null to 0", "insert section Comedy to 1", "insert section Horror to 2",
                "insert 4 to 0.0", "insert 2 to 1.0", "insert 3 to 2.0", "insert 1 to 2.1",
            ]
        )
        #expect(list.sections.map(\.name) == ["", "Comedy", "Horror"])
        #expect(list.sections.map(\.count) == [1, 1, 2])

        // To another section, where it is the first.
        try shelf.update(2, ["Genre": .string("Horror"), "Rank": .integer(9)])
        #expect(try list.update()?.words == ["delete section Comedy from 1", "move 2 from 1.0 to 1.0"])
        #expect(list.sections.map(\.name) == ["", "Horror"])

        // To a new section, which comes before others.
        try shelf.update(3, ["Genre": .string("Drama")])
        #expect(try list.update()?.words == ["insert section Drama to 1", "move 3 from 1.1 to 1.0"])
        #expect(list.sections.map(\.name) == ["", "Drama", "Horror"])
        #expect(list.sections.map(\.keys) == [[4], [3], [2, 1]].map { $0.map(ListShelf.key) })
    }

    @Test(.covers("MD-I60"))
    func `an import of ten thousand rows is one batch`() async throws {
        let list = try store.list(of: shelf.plan(by: [(.rank, false)]))
        var changes = list.changes.makeAsyncIterator()
        #expect(try await changes.next()?.isEmpty == true)
        try await store.write { transaction in
            for id in 1...10_000 as ClosedRange<Int64> {
                try ListShelf.insert(id, "Film \(id)", rank: 10_000 - id, transaction)
            }
        }
        try shelf.update(1, ["Title": .string("The first")])
        let batch = try #require(try await changes.next())
        #expect(batch.changes.count == 10_001)
        #expect(batch.changes[0] == .insertSection(.null, to: 0))
        #expect(batch.changes[1] == .insert(ListShelf.key(10_000), to: ListPlace(section: 0, row: 0)))
        #expect(list.count == 10_000)
        #expect(try list.update() == nil)
        try shelf.update(1, ["Title": .string("The last")])
        #expect(try await changes.next()?.words == ["update 1 from 0.9999 to 0.9999"])
    }

    @Test(.covers("MD-I61"))
    func `lists with another predicate, order or section have sections of their own`() throws {
        for (id, genre) in [(1, "Horror"), (2, "Comedy"), (3, "Comedy")] {
            try shelf.insert(Int64(id), "Film \(4 - id)", genre: genre, rank: Int64(id))
        }
        func sections(_ plan: ReadPlan, _ section: ListShelf.Column?) throws -> [ListSection] {
            let list = try store.list(of: plan, sectionedBy: section.map { ListShelf.path($0) })
            _ = try list.update()
            return list.sections
        }
        func section(_ name: String, _ ids: Int64...) -> ListSection {
            ListSection(value: .string(name), keys: ids.map(ListShelf.key))
        }
        #expect(try sections(shelf.plan(), .genre) == [section("Comedy", 2, 3), section("Horror", 1)])
        let last = ListShelf.test(.rank, .greaterThan, .integer(2))
        #expect(try sections(shelf.plan(last), .genre) == [section("Comedy", 3)])
        #expect(
            try sections(shelf.plan(by: [(.title, false)]), .genre)
                == [section("Comedy", 3, 2), section("Horror", 1)]
        )
        #expect(
            try sections(shelf.plan(by: [(.genre, true)]), .genre) == [section("Horror", 1), section("Comedy", 2, 3)]
        )
        #expect(try sections(shelf.plan(), nil) == [ListSection(value: .null, keys: [1, 2, 3].map(ListShelf.key))])
    }

    @Test func `a list with a limit takes the next row in, and tells what falls out`() throws {
        for id in 1...6 as ClosedRange<Int64> { try shelf.insert(id, "Film \(id)", rank: id * 10) }
        let list = try store.list(of: shelf.plan(by: [(.rank, false)], top: 3))
        #expect(try list.update()?.changes.count == 4)
        try shelf.delete(2)
        #expect(try list.update()?.words == ["delete 2 from 0.1", "insert 4 to 0.2"])
        try shelf.insert(7, "Before", rank: 5)
        #expect(try list.update()?.words == ["delete 4 from 0.2", "insert 7 to 0.0"])
        try shelf.update(6, ["Rank": .integer(99)])
        #expect(try list.update() == nil)
        try shelf.update(7, ["Rank": .integer(35)])
        #expect(try list.update()?.words == ["move 7 from 0.0 to 0.2"])
        try shelf.update(7, ["Rank": .integer(45)])
        #expect(try list.update()?.words == ["delete 7 from 0.2", "insert 4 to 0.2"])
        #expect(list.sections.map(\.keys) == [[1, 3, 4].map(ListShelf.key)])
    }

    @Test func `a key of several values is placed like one`() throws {
        let plan = ReadPlan(model: store.model, set: store.layout.sets[2].set)
        let list = try store.list(of: plan)
        _ = try list.update()
        try store.write { transaction in
            for (film, actor) in [(2, "b"), (1, "z"), (2, "a")] {
                try transaction.insert(["Film": .integer(Int64(film)), "Actor": .string(actor)], into: "Casts")
            }
        }
        #expect(
            try list.update()?.words
                == ["insert section null to 0", "insert 1,z to 0.0", "insert 2,a to 0.1", "insert 2,b to 0.2"]
        )
        try store.write { transaction in
            _ = try transaction.update(Key([.integer(2), .string("a")]), ["Role": .string("R")], in: "Casts")
            _ = try transaction.delete(Key([.integer(1), .string("z")]), in: "Casts")
        }
        #expect(try list.update()?.words == ["delete 1,z from 0.0", "update 2,a from 0.1 to 0.0"])
        #expect(try list[0, 0] == ["Film": .integer(2), "Actor": .string("a"), "Role": .string("R")])
        #expect(try list[0, 2] == nil)
    }

    @Test func `a change of a related row is seen over the path`() throws {
        try store.write { transaction in
            for (id, name) in [(1, "Top"), (2, "Low")] {
                try transaction.insert(["Id": .integer(Int64(id)), "Name": .string(name)], into: "Shelves")
            }
        }
        for (id, place) in [(1, 1), (2, 2), (3, 1)] {
            try shelf.insert(Int64(id), "Film \(id)")
            try shelf.update(Int64(id), ["ShelfId": .integer(Int64(place))])
        }
        let list = try store.list(of: shelf.plan(), sectionedBy: ListShelf.shelfName)
        _ = try list.update()
        #expect(list.sections.map(\.name) == ["Low", "Top"])
        try store.write { transaction in
            _ = try transaction.update(ListShelf.key(1), ["Name": .string("Attic")], in: "Shelves")
        }
        #expect(
            try list.update()?.words == [
                "delete section Top from 1", "insert section Attic to 0", "move 1 from 1.0 to 0.0",
                "move 3 from 1.1 to 0.1",
            ]
        )
    }
}

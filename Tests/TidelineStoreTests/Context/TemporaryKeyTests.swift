// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// Keys from the insert to the sync: provisional, temporary, final.
struct TemporaryKeyTests {
    let folder: TestFolder
    let store: LocalStore
    let context: EditingContext

    init() throws {
        folder = try TestFolder()
        store = try Conference.store(folder)
        context = EditingContext(store)
    }

    func accept(_ number: Int64, _ rows: [(place: Int, key: Int64, values: [Value])]) throws {
        try Fixture.send(store)
        try store.settle([
            .accepted(
                number: number,
                rows: rows.map {
                    AcceptedRow(place: $0.place, key: Key([.integer($0.key)]), etag: Fixture.etag(9), values: $0.values)
                }
            )
        ])
    }

    @Test(.covers("DA-51"))
    func `new keys are unique, count down in the store, and are replaced after the sync`() throws {
        let rows = try ["A", "B", "C"].map { try context.insert(["Name": .string($0)], into: "Tracks") }
        #expect(Set(rows.map(\.key)).count == 3)
        try context.save()
        #expect(rows.map(\.key) == [-1, -2, -3].map { Key([.integer($0)]) })
        try accept(
            1,
            [
                (0, 71, [.integer(71), .string("A"), .null]), (1, 72, [.integer(72), .string("B"), .null]),
                (2, 73, [.integer(73), .string("C"), .null]),
            ]
        )
        try context.catchUp()
        #expect(rows.map(\.key) == [71, 72, 73].map { Key([.integer($0)]) })
        #expect(try context.object(Key([.integer(72)]), in: "Tracks") === rows[1])
        #expect(try rows.map { try $0.text("Name") } == ["A", "B", "C"])
        let next = try context.insert(["Name": .string("D")], into: "Tracks")
        try context.save()
        #expect(next.key == Key([.integer(-4)]))
    }

    @Test(.covers("DA-52"))
    func `after the sync a new object and its details all hold the final key`() throws {
        let talk = try context.insert(["Title": .string("Talk")], into: "Sessions")
        let marks = try [Int64(1), 2].map { (stars: Int64) -> ManagedRow in
            let mark = try context.insert(["Stars": .integer(stars)], into: "Marks")
            try talk.add(mark, to: "Marks")
            return mark
        }
        try context.save()
        #expect(talk.key == Key([.integer(-1)]))
        #expect(try marks.map { try $0["SessionId"] } == [.integer(-1), .integer(-1)])
        let late = try context.insert(["Stars": .integer(3)], into: "Marks")
        try talk.add(late, to: "Marks")
        try marks[0].set("Stars", .integer(4))
        try accept(
            1,
            [
                (0, 50, [.integer(50), .string("Talk"), .integer(30), .null, .null, .null]),
                (1, 61, [.integer(61), .integer(50), .integer(1)]), (2, 62, [.integer(62), .integer(50), .integer(2)]),
            ]
        )
        #expect(try talk.relatedRows("Marks").count == 3)
        #expect(talk.key == Key([.integer(50)]))
        #expect(try (marks + [late]).map { try $0["SessionId"] } == [.integer(50), .integer(50), .integer(50)])
        #expect(marks[0].state == .modified && marks[1].state == .unchanged)
        try context.save()
        #expect(try store.values("SessionId", of: "Marks") == [.integer(50), .integer(50), .integer(50)])
        #expect(try store.values("Stars", of: "Marks") == [.integer(3), .integer(4), .integer(2)])
    }

    @Test func `undo goes on with the final keys`() throws {
        let track = try context.insert(["Name": .string("A")], into: "Tracks")
        let talk = try context.insert(["Title": .string("Talk")], into: "Sessions")
        try context.save()
        try talk.relate("Track", to: track)
        try talk.relate("Track", to: nil)
        try accept(
            1,
            [
                (0, 71, [.integer(71), .string("A"), .null]),
                (1, 81, [.integer(81), .string("Talk"), .integer(30), .null, .null, .null]),
            ]
        )
        try context.catchUp()
        context.undo()
        #expect(try talk["TrackId"] == .integer(71) && talk.related("Track") === track)
    }
}

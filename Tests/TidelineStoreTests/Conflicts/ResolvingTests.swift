// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// Ending conflicts of the log.
struct ResolvingTests {
    let folder: TestFolder
    let store: LocalStore
    let key = Key([.string("a")])

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
        try Fixture.load(store, "Tags", [([.string("a"), .integer(1), .string("Base"), .integer(5)], 1)])
    }

    func row(_ title: String, _ hits: Int64) -> [Value] { [.string("a"), .integer(1), .string(title), .integer(hits)] }

    func stored() throws -> [Value?] { try Fixture.rows(store, "Tags").map { $0["Title"] } }

    @Test(
        .covers("DA-64"),
        arguments: [
            (ConflictChoice.keepMine, "Mine"), (.keepTheirs, "Theirs"), (.merge(["Title": .string("Both")]), "Both"),
        ]
    )
    func `a conflict holds base, mine and theirs, and each choice ends it`(choice: ConflictChoice, title: String) throws
    {
        try store.write { try $0.update(key, ["Title": .string("Mine")], in: "Tags") }
        try Fixture.stage(store, "Tags", [(row("Theirs", 5), 2)])
        let conflicts = try store.conflicts()
        try #require(conflicts.count == 1)
        #expect(
            conflicts[0].properties == [
                .init(
                    name: "Title",
                    base: .string("Base"),
                    mine: .string("Mine"),
                    theirs: .string("Theirs"),
                    mineWon: false
                )
            ]
        )
        try store.resolve(conflict: conflicts[0].id, choice)
        #expect(try store.conflicts() == [])
        #expect(try stored() == [.string(title)])
        let sent = try store.pendingChanges().map(\.new)
        #expect(sent == (title == "Theirs" ? [] : [["Title": .string(title)]]))
        #expect(throws: LocalStoreError.self) { try store.resolve(conflict: conflicts[0].id, choice) }
    }

    @Test(
        .covers("DA-64"),
        arguments: [(ConflictChoice.keepMine, 0), (.keepTheirs, 1), (.merge(["Hits": .integer(9)]), 1)]
    )
    func `a row that was deleted here and changed there ends by choice`(choice: ConflictChoice, rows: Int) throws {
        try store.write { try $0.delete(key, in: "Tags") }
        try Fixture.stage(store, "Tags", [(row("Theirs", 5), 2)])
        let conflict = try #require(try store.conflicts().first)
        #expect(conflict.kind == .deletedHere)
        try store.resolve(conflict: conflict.id, choice)
        #expect(try store.conflicts() == [])
        #expect(try stored().count == rows)
    }

    @Test(.covers("DA-64"), arguments: [(ConflictChoice.keepMine, 1), (.keepTheirs, 0)])
    func `a row that was changed here and deleted there ends by choice`(choice: ConflictChoice, rows: Int) throws {
        try store.write { try $0.update(key, ["Title": .string("Mine")], in: "Tags") }
        try Fixture.stage(store, "Tags", removed: [(key, .deleted)])
        let conflict = try #require(try store.conflicts().first)
        #expect(conflict.kind == .deletedThere)
        try store.resolve(conflict: conflict.id, choice)
        #expect(try store.conflicts() == [])
        #expect(try stored().count == rows)
    }

    @Test(.covers("DA-65"))
    func `after its value was put right a refused change is sent again and accepted`() throws {
        try store.write { try $0.update(key, ["Title": .string("bad")], in: "Tags") }
        try Fixture.send(store)
        try store.settle([.refused(number: 1, code: "Rule", message: "No such title.", status: 422)])
        let held = try #require(try store.quarantined().first)
        #expect(held.message == "No such title.")
        try store.write { try $0.update(key, ["Title": .string("good")], in: "Tags") }
        try store.retry(quarantined: held.id)
        #expect(try store.quarantined() == [])
        let again = try store.pendingChanges()
        #expect(again.map(\.new) == [["Title": .string("good")]])
        #expect(again.map(\.old) == [["Title": .string("Base")]])
        let number = try #require(again.first?.transaction)
        try Fixture.send(store)
        try store.settle([
            .accepted(
                number: number,
                rows: [AcceptedRow(place: 0, key: key, etag: Fixture.etag(3), values: row("good", 5))]
            )
        ])
        #expect(try store.pendingChanges() == [])
        #expect(try stored() == [.string("good")])
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import Testing

@testable import TidelineStore

/// The policies of a model, when what the server has meets what waits.
struct PolicyTests {
    @Test func `each property is decided by its own policy, and all that both changed is in the log`() throws {
        let fixture = try PolicyFixture(note: .ask)
        try fixture.update([
            "Stock": .integer(7), "Text": .string("the old red house"), "Tags": .string("[2,3]"),
        ])
        let report = try Fixture.stage(
            fixture.store,
            "Items",
            [(PolicyFixture.theirs(stock: 12, text: "the red barn", tags: "[1,2,4]", note: "m"), 2)]
        )
        #expect(report.merged == 1 && report.conflicts.count == 1 && report.quarantined == [])
        let expected: [String: Value] = [
            "Code": .string("a"), "Stock": .integer(9), "Text": .string("the old red barn"), "Tags": .string("[2,4,3]"),
            "Note": .string("m"),
        ]
        #expect(try fixture.row() == expected)
        #expect(
            try fixture.sent() == [
                ["Stock": .integer(9), "Text": .string("the old red barn"), "Tags": .string("[2,4,3]")]
            ]
        )
        let conflict = try #require(try fixture.store.conflicts().first)
        #expect(conflict.properties.map(\.name) == ["Stock", "Text", "Tags"])
        #expect(conflict.properties.map(\.mine) == [.integer(7), .string("the old red house"), .string("[2,3]")])
        #expect(conflict.properties.map(\.theirs) == [.integer(12), .string("the red barn"), .string("[1,2,4]")])
        #expect(conflict.properties.map(\.mineWon) == [true, true, true] && !conflict.isOpen)
        // What it sends now is made on the server's version.
        #expect(try fixture.store.pendingTransactions()[0].changes[0].baseETag == Fixture.etag(2))
    }

    @Test func `each step of a counter counts, also in transactions of their own`() throws {
        let fixture = try PolicyFixture()
        try fixture.update(["Stock": .integer(12)])
        // Another change between keeps the two apart.
        try fixture.store.write { try $0.insert(["Code": .string("b")], into: "Items") }
        try Fixture.send(fixture.store)
        try fixture.update(["Stock": .integer(15)])
        try fixture.store.settle([
            .conflict(
                number: 1,
                current: [
                    RemoteRow(
                        set: "Items",
                        key: PolicyFixture.key,
                        etag: Fixture.etag(2),
                        values: PolicyFixture.theirs(stock: 20)
                    )
                ]
            ), .again(number: 2),
        ])
        #expect(try fixture.row()?["Stock"] == .integer(25))
        let changes = try fixture.store.pendingTransactions().flatMap(\.changes).filter {
            $0.change.operation == .update
        }
        #expect(
            changes.map(\.change.assignments) == [
                [.init(property: 1, before: .integer(20), after: .integer(22))],
                [.init(property: 1, before: .integer(22), after: .integer(25))],
            ]
        )
    }

    @Test func `two devices that took one each took two`() throws {
        let fixture = try PolicyFixture()
        try fixture.update(["Stock": .integer(9)])
        try Fixture.stage(fixture.store, "Items", [(PolicyFixture.theirs(stock: 9), 2)])
        #expect(try fixture.row()?["Stock"] == .integer(8))
        #expect(try fixture.sent() == [["Stock": .integer(8)]])
    }

    @Test func `restoring gives back what lost, and touches nothing that was joined`() throws {
        let fixture = try PolicyFixture()
        try fixture.update(["Stock": .integer(7), "Note": .string("mine")])
        try Fixture.stage(fixture.store, "Items", [(PolicyFixture.theirs(stock: 12, note: "theirs"), 2)])
        let conflict = try #require(try fixture.store.conflicts().first)
        #expect(conflict.properties.map(\.name) == ["Stock", "Note"])
        #expect(conflict.properties.map(\.isJoined) == [true, false])
        #expect(conflict.properties.map(\.mineWon) == [true, false])
        try fixture.update(["Stock": .integer(1009)])
        try fixture.store.restore(conflict: conflict.id)
        #expect(try fixture.row()?["Stock"] == .integer(1009))
        #expect(try fixture.row()?["Note"] == .string("mine"))
        #expect(try fixture.store.conflicts() == [])
    }

    @Test func `where both count there is nothing to restore, which is said, and the entry stays`() throws {
        let fixture = try PolicyFixture()
        try fixture.update(["Stock": .integer(7)])
        try Fixture.stage(fixture.store, "Items", [(PolicyFixture.theirs(stock: 12), 2)])
        let conflict = try #require(try fixture.store.conflicts().first)
        let error = #expect(throws: LocalStoreError.self) { try fixture.store.restore(conflict: conflict.id) }
        #expect(error?.code == .noSuchEntry)
        #expect(error?.message == "Nothing lost in the conflict \(conflict.id): both changes count.")
        #expect(try fixture.row()?["Stock"] == .integer(9))
        #expect(try fixture.store.conflicts() == [conflict])
    }

    @Test(arguments: [(ConflictChoice.keepMine, "mine"), (.keepTheirs, "theirs")])
    func `resolving writes what lost, and nothing over a newer value of what was joined`(
        choice: ConflictChoice,
        note: String
    ) throws {
        let fixture = try PolicyFixture()
        try fixture.update(["Stock": .integer(7), "Note": .string("mine")])
        try Fixture.stage(fixture.store, "Items", [(PolicyFixture.theirs(stock: 12, note: "theirs"), 2)])
        let conflict = try #require(try fixture.store.conflicts().first)
        #expect(conflict.properties.map(\.isJoined) == [true, false])
        // 12 on the server, and 3 taken here: 9.
        #expect(try fixture.row()?["Stock"] == .integer(9))
        try fixture.update(["Stock": .integer(1000)])
        try fixture.store.resolve(conflict: conflict.id, choice)
        #expect(try fixture.row()?["Stock"] == .integer(1000))
        #expect(try fixture.row()?["Note"] == .string(note))
        #expect(try fixture.store.conflicts() == [])
    }

    @Test(arguments: [ConflictChoice.keepMine, .keepTheirs])
    func `where both count there is nothing to resolve, which is said, and another value can be given all the same`(
        choice: ConflictChoice
    ) throws {
        let fixture = try PolicyFixture()
        try fixture.update(["Stock": .integer(7)])
        try Fixture.stage(fixture.store, "Items", [(PolicyFixture.theirs(stock: 12), 2)])
        let conflict = try #require(try fixture.store.conflicts().first)
        try fixture.update(["Stock": .integer(1000)])
        let error = #expect(throws: LocalStoreError.self) {
            try fixture.store.resolve(conflict: conflict.id, choice)
        }
        #expect(error?.code == .noSuchEntry)
        #expect(error?.message == "Nothing lost in the conflict \(conflict.id): both changes count.")
        #expect(try fixture.row()?["Stock"] == .integer(1000))
        #expect(try fixture.store.conflicts() == [conflict])
        try fixture.store.resolve(conflict: conflict.id, .merge(["Stock": .integer(4)]))
        #expect(try fixture.row()?["Stock"] == .integer(4))
        #expect(try fixture.store.conflicts() == [])
    }

    @Test func `edits that overlap fall back, and are logged`() throws {
        let fixture = try PolicyFixture()
        try fixture.update(["Text": .string("the blue house")])
        try Fixture.stage(fixture.store, "Items", [(PolicyFixture.theirs(text: "the green house"), 2)])
        #expect(try fixture.row()?["Text"] == .string("the blue house"))
        let conflict = try #require(try fixture.store.conflicts().first)
        #expect(conflict.properties.map(\.theirs) == [.string("the green house")])
        #expect(conflict.properties.map(\.mineWon) == [true])
        try fixture.store.restore(conflict: conflict.id)
        #expect(try fixture.row()?["Text"] == .string("the green house"))
        #expect(try fixture.store.conflicts() == [])
    }

    @Test(arguments: [
        (ConflictPolicy.serverWins, "theirs"), (.clientWins, "mine"), (.lastEdit, "mine"), (.maximum, "theirs"),
        (.minimum, "mine"), (ConflictPolicy(.custom("Both")), "mine+theirs"),
        (ConflictPolicy(.custom("None"), else: .clientWins), "mine"),
    ])
    func `the policy of the type is that of the properties without one`(policy: ConflictPolicy, result: String) throws {
        let fixture = try PolicyFixture(
            type: policy,
            functions: [
                "Both": { change in
                    guard case (.string(let mine), .string(let theirs)) = (change.mine, change.theirs),
                        change.base == .string("n"), change.set == "Items", change.key == PolicyFixture.key
                    else { return nil }
                    return .string("\(mine)+\(theirs)")
                }
            ]
        )
        try fixture.update(["Note": .string("mine")])
        try Fixture.stage(fixture.store, "Items", [(PolicyFixture.theirs(note: "theirs"), 2)])
        #expect(try fixture.row()?["Note"] == .string(result))
        #expect(try fixture.sent() == (result == "theirs" ? [] : [["Note": .string(result)]]))
        #expect(try fixture.store.conflicts().count == 1)
    }

    // MARK: Deletions

    @Test(arguments: [(ConflictPolicy.clientWins, true), (.lastEdit, true), (.serverWins, false), (.counter, false)])
    func `the policy of the type decides whether a deletion here beats a change there`(
        policy: ConflictPolicy,
        isDeleted: Bool
    ) throws {
        let fixture = try PolicyFixture(type: policy)
        _ = try fixture.store.write { try $0.delete(PolicyFixture.key, in: "Items") }
        try Fixture.stage(fixture.store, "Items", [(PolicyFixture.theirs(note: "theirs"), 2)])
        #expect((try fixture.row() == nil) == isDeleted)
        let changes = try fixture.store.pendingTransactions().flatMap(\.changes)
        #expect(changes.map(\.change.operation) == (isDeleted ? [.delete] : []))
        #expect(changes.map(\.baseETag) == (isDeleted ? [Fixture.etag(2)] : []))
        let conflict = try #require(try fixture.store.conflicts().first)
        #expect(conflict.kind == .deletedHere && conflict.mineWon == isDeleted)
        // What lost comes back: the row of the server as a new one, or the deletion.
        try fixture.store.restore(conflict: conflict.id)
        #expect(try fixture.row()?["Note"] == (isDeleted ? .string("theirs") : nil))
        #expect(try fixture.store.conflicts() == [])
    }

    @Test(arguments: [(ConflictPolicy.serverWins, false), (.clientWins, true), (.lastEdit, true), (.counter, true)])
    func `the policy of the type decides whether a change here beats a deletion there`(
        policy: ConflictPolicy,
        isKept: Bool
    ) throws {
        let fixture = try PolicyFixture(type: policy)
        try fixture.update(["Note": .string("mine")])
        try Fixture.stage(fixture.store, "Items", removed: [(PolicyFixture.key, .deleted)])
        #expect(try fixture.row()?["Note"] == (isKept ? .string("mine") : nil))
        #expect(
            try fixture.store.pendingTransactions().flatMap(\.changes).map(\.change.operation)
                == (isKept ? [.insert] : [])
        )
        let conflict = try #require(try fixture.store.conflicts().first)
        #expect(conflict.kind == .deletedThere && conflict.mineWon == isKept)
        try fixture.store.restore(conflict: conflict.id)
        #expect(try fixture.row()?["Note"] == (isKept ? nil : .string("mine")))
        #expect(try fixture.row()?["Stock"] == (isKept ? nil : .integer(10)))
    }
}

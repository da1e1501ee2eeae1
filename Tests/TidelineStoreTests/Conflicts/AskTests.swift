// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import Testing

@testable import TidelineStore

/// Changes that wait until a person decides.
struct AskTests {
    let fixture: PolicyFixture
    var store: LocalStore { fixture.store }

    init() throws { fixture = try PolicyFixture(type: .ask) }

    /// A change of two properties and a row that meets another of one of them.
    private func clash() throws -> Conflict {
        try store.write { transaction in
            try transaction.update(
                PolicyFixture.key,
                ["Note": .string("mine"), "Stock": .integer(11)],
                in: "Items"
            )
            try transaction.insert(["Code": .string("b")], into: "Items")
        }
        let report = try Fixture.stage(store, "Items", [(PolicyFixture.theirs(note: "theirs"), 2)])
        #expect(report.conflicts.count == 1 && report.quarantined.count == 1 && report.merged == 0)
        return try #require(try store.conflicts().first)
    }

    private func note() throws -> Value? { try fixture.row()?["Note"] }

    @Test func `the transaction waits as a whole, and the row shows the server's value meanwhile`() throws {
        let conflict = try clash()
        #expect(conflict.isOpen && conflict.kind == .update && !conflict.mineWon)
        #expect(
            conflict.properties == [
                .init(
                    name: "Note",
                    base: .string("n"),
                    mine: .string("mine"),
                    theirs: .string("theirs"),
                    mineWon: false,
                    isOpen: true
                )
            ]
        )
        #expect(try note() == .string("theirs"))
        // What is no conflict stays as it was written here.
        #expect(try fixture.row()?["Stock"] == .integer(11))
        #expect(try store.pendingTransactions() == [])
        let held = try #require(try store.quarantined().first)
        #expect(held.code == "Conflict" && held.changes.count == 2)
        #expect(try store.conflicts().count == 1)
    }

    @Test(arguments: [
        (ConflictChoice.keepMine, "mine", ["Note", "Stock"]), (.keepTheirs, "theirs", ["Stock"]),
        (.merge(["Note": .string("both")]), "both", ["Note", "Stock"]),
        (.merge(["Text": .string("new")]), "theirs", ["Stock", "Text"]),
    ])
    func `each choice sends the rest with what was decided`(
        choice: ConflictChoice,
        note: String,
        names: [String]
    ) throws {
        let conflict = try clash()
        try store.resolve(conflict: conflict.id, choice)
        #expect(try self.note() == .string(note))
        #expect(try store.conflicts() == [] && store.quarantined() == [])
        let sent = try #require(try store.pendingTransactions().first)
        #expect(sent.changes.map(\.change.operation) == [.update, .insert])
        #expect(sent.changes[0].baseETag == Fixture.etag(2))
        #expect(try fixture.sent().map { $0.keys.sorted() } == [names])
        #expect(try fixture.row()?["Stock"] == .integer(11))
        #expect(throws: LocalStoreError.self) { try store.resolve(conflict: conflict.id, choice) }
    }

    @Test func `an edit on top of what is shown counts after the decision, whatever it is`() throws {
        let conflict = try clash()
        try fixture.update(["Note": .string("later")])
        #expect(try note() == .string("later"))
        #expect(try store.pendingTransactions() == [])
        try store.resolve(conflict: conflict.id, .keepTheirs)
        #expect(try note() == .string("later"))
        #expect(try fixture.sent() == [["Stock": .integer(11)], ["Note": .string("later")]])
    }

    @Test func `what changes on the server while it waits is asked again when it is sent`() throws {
        let conflict = try clash()
        try Fixture.stage(store, "Items", [(PolicyFixture.theirs(stock: 20, note: "newer"), 3)])
        #expect(try note() == .string("newer"))
        try store.resolve(conflict: conflict.id, .keepMine)
        let again = try #require(try store.conflicts().first)
        #expect(again.isOpen)
        #expect(again.properties.map(\.base) == [.string("theirs")])
        #expect(again.properties.map(\.theirs) == [.string("newer")])
        #expect(try note() == .string("newer"))
        try store.resolve(conflict: again.id, .keepMine)
        #expect(try note() == .string("mine"))
        // The counter of the same change was merged meanwhile.
        #expect(try fixture.sent() == [["Note": .string("mine"), "Stock": .integer(21)]])
        #expect(try store.conflicts().map(\.isOpen) == [false])
    }

    @Test func `two decisions of one transaction are both awaited`() throws {
        try Fixture.load(
            store,
            "Items",
            [(PolicyFixture.base, 1), ([.string("c"), .integer(1), .null, .null, .string("n")], 1)]
        )
        try store.write { transaction in
            try transaction.update(PolicyFixture.key, ["Note": .string("1")], in: "Items")
            try transaction.update(Key([.string("c")]), ["Note": .string("2")], in: "Items")
        }
        try Fixture.stage(
            store,
            "Items",
            [
                (PolicyFixture.theirs(note: "x"), 2), ([.string("c"), .integer(1), .null, .null, .string("y")], 2),
            ]
        )
        // The second is asked once the first is decided: nothing of the transaction goes before.
        var decided = 0
        while let conflict = try store.conflicts().first(where: \.isOpen), decided < 3 {
            #expect(try store.pendingTransactions() == [])
            try store.resolve(conflict: conflict.id, .keepMine)
            decided += 1
        }
        #expect(decided == 2)
        #expect(
            try store.pendingTransactions().map { $0.changes.map(\.baseETag) } == [[Fixture.etag(2), Fixture.etag(2)]]
        )
        #expect(try store.quarantined() == [])
    }

    @Test func `restoring and retrying keep mine, discarding keeps theirs, dismissing is refused`() throws {
        let first = try clash()
        let error = #expect(throws: LocalStoreError.self) { try store.dismiss(conflict: first.id) }
        #expect(error?.code == .pendingChanges)
        try store.restore(conflict: first.id)
        #expect(try note() == .string("mine"))

        let other = try AskTests()
        _ = try other.clash()
        try other.store.retry(quarantined: try #require(try other.store.quarantined().first).id)
        #expect(try other.note() == .string("mine"))
        #expect(try other.store.conflicts() == [] && other.store.quarantined() == [])

        let third = try AskTests()
        _ = try third.clash()
        let held = try #require(try third.store.quarantined().first)
        #expect(try third.store.discard(quarantined: held.id) == [held.id])
        #expect(try third.note() == .string("theirs"))
        #expect(try third.fixture.row()?["Stock"] == .integer(10))
        #expect(try third.store.conflicts() == [] && third.store.quarantined() == [])
        #expect(try third.store.pendingTransactions() == [])
    }

    @Test func `what is asked anew, of a row that was deleted meanwhile, says what this device wants`() throws {
        let fixture = try PolicyFixture(type: .ask)
        let store = fixture.store
        try fixture.update(["Note": .string("mine")])
        try Fixture.stage(store, "Items", [(PolicyFixture.theirs(note: "theirs"), 2)])
        let first = try #require(try store.conflicts().first)
        try Fixture.stage(store, "Items", removed: [(PolicyFixture.key, .deleted)])
        try store.resolve(conflict: first.id, .keepMine)
        let second = try #require(try store.conflicts().first)
        #expect(try store.conflicts().count == 1)
        #expect(second.id != first.id && second.kind == .deletedThere && second.isOpen)
        #expect(second.properties.first { $0.name == "Note" }?.mine == .string("mine"))
        try store.resolve(conflict: second.id, .keepMine)
        #expect(try fixture.row()?["Note"] == .string("mine"))
        #expect(try store.pendingTransactions().map { $0.changes.map(\.change.operation) } == [[.insert]])
        #expect(try store.conflicts() == [])
    }

    @Test func `it makes no room in the log`() throws {
        let fixture = try PolicyFixture(type: .ask, logLength: 0)
        try fixture.update(["Note": .string("mine")])
        try Fixture.stage(fixture.store, "Items", [(PolicyFixture.theirs(note: "theirs"), 2)])
        try fixture.store.markConflictsSeen()
        let time = DateTimeOffset(seconds: 1_800_000_000)
        try fixture.store.record(SyncLogEntry(startedAt: time, endedAt: time))
        #expect(try fixture.store.conflicts().map(\.isOpen) == [true])
    }

    @Test func `it waits over a closing of the store`() throws {
        let conflict = try clash()
        try store.close()
        let again = try LocalStore(path: fixture.folder.file("a.tideline"))
        #expect(try again.conflicts() == [conflict])
        try again.resolve(conflict: conflict.id, .keepMine)
        #expect(try again.pendingTransactions().count == 1)
        try again.close()
    }

    // MARK: Deletions

    @Test(
        arguments: [
            (ConflictChoice.keepMine, nil, [Change.Operation.delete]), (.keepTheirs, "theirs", []),
            (.merge(["Note": .string("both")]), "both", [.update]),
        ] as [(ConflictChoice, String?, [Change.Operation])]
    )
    func `a deletion that meets a change waits, and the row is there`(
        choice: ConflictChoice,
        note: String?,
        sent: [Change.Operation]
    ) throws {
        _ = try store.write { try $0.delete(PolicyFixture.key, in: "Items") }
        try Fixture.stage(store, "Items", [(PolicyFixture.theirs(note: "theirs"), 2)])
        let conflict = try #require(try store.conflicts().first)
        #expect(conflict.kind == .deletedHere && conflict.isOpen)
        #expect(try self.note() == .string("theirs"))
        try store.resolve(conflict: conflict.id, choice)
        #expect(try self.note() == note.map(Value.string))
        let changes = try store.pendingTransactions().flatMap(\.changes)
        #expect(changes.map(\.change.operation) == sent)
        #expect(changes.map(\.baseETag) == sent.map { _ in Fixture.etag(2) })
        #expect(try store.quarantined() == [] && store.conflicts() == [])
    }

    @Test(
        arguments: [
            (ConflictChoice.keepMine, "mine", [Change.Operation.insert]), (.keepTheirs, nil, []),
            (.merge(["Note": .string("both")]), "both", [.insert]),
        ] as [(ConflictChoice, String?, [Change.Operation])]
    )
    func `a change that meets a deletion waits, and the row stays as it is here`(
        choice: ConflictChoice,
        note: String?,
        sent: [Change.Operation]
    ) throws {
        try fixture.update(["Note": .string("mine")])
        try Fixture.stage(store, "Items", removed: [(PolicyFixture.key, .deleted)])
        let conflict = try #require(try store.conflicts().first)
        #expect(conflict.kind == .deletedThere && conflict.isOpen)
        #expect(try self.note() == .string("mine"))
        #expect(try store.pendingTransactions() == [])
        try store.resolve(conflict: conflict.id, choice)
        #expect(try self.note() == note.map(Value.string))
        let changes = try store.pendingTransactions().flatMap(\.changes)
        #expect(changes.map(\.change.operation) == sent)
        #expect(changes.map(\.baseETag) == sent.map { _ in nil })
        #expect(try store.quarantined() == [] && store.conflicts() == [])
    }

    @Test(arguments: [true, false])
    func `what builds on a refused transaction too stays with it`(isDecided: Bool) throws {
        let c = Key([.string("c")])
        let other: [Value] = [.string("c"), .integer(1), .null, .null, .string("n")]
        try Fixture.load(store, "Items", [(PolicyFixture.base, 1), (other, 1)])
        try fixture.update(["Text": .string("mine")])
        try Fixture.send(store)
        try store.settle([.refused(number: 1, code: "Forbidden", message: "No.", status: 403)])
        try store.write { _ = try $0.update(c, ["Note": .string("1")], in: "Items") }
        try store.write { tx in
            _ = try tx.update(PolicyFixture.key, ["Text": .string("newer")], in: "Items")
            _ = try tx.update(c, ["Tags": .string("[3]")], in: "Items")
        }
        try Fixture.stage(store, "Items", [([.string("c"), .integer(1), .null, .null, .string("x")], 2)])
        let held = try store.quarantined()
        #expect(held.map(\.code) == ["Forbidden", "DependsOnQuarantined", "Conflict"])
        if isDecided {
            try store.resolve(conflict: try #require(try store.conflicts().first).id, .keepMine)
            #expect(try store.pendingTransactions().flatMap(\.changes).map(\.change.key) == [c])
            #expect(try store.quarantined().map(\.id) == [held[0].id, held[1].id])
            #expect(try store.quarantined()[1].dependsOn == held[0].id)
        } else {
            try store.retry(quarantined: held[0].id)
            #expect(try store.conflicts().filter(\.isOpen).isEmpty)
            #expect(try store.quarantined().isEmpty)
            let sent = try fixture.sent().reduce(into: [:]) { $0.merge($1) { $1 } }
            #expect(sent == ["Text": .string("newer"), "Note": .string("1"), "Tags": .string("[3]")])
        }
        #expect(try fixture.row()?["Text"] == .string("newer"))
    }

    @Test func `what was decided, and builds on what was refused since, stays with it`() throws {
        let (c, d) = (Key([.string("c")]), Key([.string("d")]))
        func row(_ key: Key, _ note: String) -> [Value] { [key.values[0], .integer(1), .null, .null, .string(note)] }
        try Fixture.load(store, "Items", [(PolicyFixture.base, 1), (row(c, "n"), 1), (row(d, "n"), 1)])
        try fixture.update(["Text": .string("mine")])
        try Fixture.send(store)
        try store.write { tx in
            _ = try tx.update(PolicyFixture.key, ["Text": .string("newer")], in: "Items")
            _ = try tx.update(c, ["Note": .string("1")], in: "Items")
        }
        try store.write { tx in
            _ = try tx.update(c, ["Tags": .string("[3]")], in: "Items")
            _ = try tx.update(d, ["Note": .string("2")], in: "Items")
        }
        for key in [d, c] { try Fixture.stage(store, "Items", [(row(key, "x"), 2)]) }
        try store.settle([.refused(number: 1, code: "Forbidden", message: "No.", status: 403)])
        for key in [c, d] {
            let open = try #require(try store.conflicts().first { $0.key == key && $0.isOpen })
            try store.resolve(conflict: open.id, .keepMine)
        }
        #expect(try store.conflicts().filter(\.isOpen).isEmpty)
        #expect(try store.pendingTransactions().isEmpty)
        #expect(try store.quarantined().map(\.number).sorted() == [1, 2, 3])
    }

    @Test(arguments: [ConflictChoice.keepTheirs, .merge(["Note": .string("m")])])
    func `the server's value counts also where this device had it in between`(choice: ConflictChoice) throws {
        try fixture.update(["Note": .string("b")])
        _ = try store.pendingTransactions()
        try fixture.update(["Note": .string("c")])
        try Fixture.stage(store, "Items", [(PolicyFixture.theirs(note: "b"), 2)])
        #expect(try note() == .string("b"))
        try store.resolve(conflict: try #require(try store.conflicts().first).id, choice)
        if choice == .keepTheirs {
            #expect(try fixture.sent() == [])
            #expect(try note() == .string("b"))
        } else {
            #expect(try fixture.sent().last == ["Note": .string("m")])
            #expect(try note() == .string("m"))
        }
    }
}

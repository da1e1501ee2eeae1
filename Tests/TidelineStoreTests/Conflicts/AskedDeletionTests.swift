// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import Testing

@testable import TidelineStore

/// Deletions that wait until a person decides, of rows that change once more meanwhile.
struct AskedDeletionTests {
    let fixture: PolicyFixture
    var store: LocalStore { fixture.store }

    init() throws { fixture = try PolicyFixture(type: .ask) }

    /// Deletes the row, which another one changed to a second version and then to a third, after the question.
    private func clash() throws -> Conflict {
        _ = try store.write { try $0.delete(PolicyFixture.key, in: "Items") }
        try Fixture.stage(store, "Items", [(PolicyFixture.theirs(note: "theirs"), 2)])
        let conflict = try #require(try store.conflicts().first)
        #expect(conflict.kind == .deletedHere && conflict.isOpen)
        try Fixture.stage(store, "Items", [(PolicyFixture.theirs(note: "newer"), 3)])
        #expect(try store.conflicts() == [conflict])
        return conflict
    }

    private func note() throws -> Value? { try fixture.row()?["Note"] }

    @Test(arguments: [true, false])
    func `what changes on the server after the question is asked about again, and not deleted unseen`(
        isRetried: Bool
    ) throws {
        let conflict = try clash()
        if isRetried {
            try store.retry(quarantined: try #require(try store.quarantined().first).id)
        } else {
            try store.resolve(conflict: conflict.id, .keepMine)
        }
        #expect(try store.pendingTransactions() == [])
        #expect(try note() == .string("newer"))
        let again = try #require(try store.conflicts().first)
        #expect(try store.conflicts().count == 1)
        #expect(again.id != conflict.id && again.kind == .deletedHere && again.isOpen)
        let property = try #require(again.properties.first { $0.name == "Note" })
        #expect(property.base == .string("n") && property.mine == .null && property.theirs == .string("newer"))
        // Seen now, it goes with the version that was seen.
        try store.resolve(conflict: again.id, .keepMine)
        #expect(try note() == nil)
        let changes = try store.pendingTransactions().flatMap(\.changes)
        #expect(changes.map(\.change.operation) == [.delete])
        #expect(changes.map(\.baseETag) == [Fixture.etag(3)])
        #expect(try store.quarantined() == [] && store.conflicts() == [])
    }

    @Test(arguments: [(ConflictChoice.keepTheirs, "newer"), (.merge(["Note": .string("both")]), "both")])
    func `who lets the row stay has it as it is now`(choice: ConflictChoice, note: String) throws {
        let conflict = try clash()
        try store.resolve(conflict: conflict.id, choice)
        #expect(try self.note() == .string(note))
        let changes = try store.pendingTransactions().flatMap(\.changes)
        let sent: [Change.Operation] = note == "both" ? [.update] : []
        #expect(changes.map(\.change.operation) == sent)
        #expect(changes.allSatisfy { $0.baseETag == Fixture.etag(3) })
        #expect(try store.quarantined() == [] && store.conflicts() == [])
    }

    @Test func `the deletion of a row that is gone after the question is of the version that was asked about`() throws {
        let conflict = try clash()
        try Fixture.stage(store, "Items", removed: [(PolicyFixture.key, .deleted)])
        try store.resolve(conflict: conflict.id, .keepMine)
        #expect(try note() == nil)
        let changes = try store.pendingTransactions().flatMap(\.changes)
        #expect(changes.map(\.change.operation) == [.delete])
        #expect(changes.map(\.baseETag) == [Fixture.etag(2)])
        #expect(try store.quarantined() == [] && store.conflicts() == [])
    }
}

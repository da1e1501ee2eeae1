// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineStore

/// In which order transactions leave the quarantine, of which a later one inserts an order that the server deleted.
struct HeldOrderTests {
    let folder: TestFolder
    let store: LocalStore
    let order = Key([.integer(71)])

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
        try Fixture.load(
            store,
            "Orders",
            [([.integer(71), .null, .integer(0), .null], 1), ([.integer(72), .null, .integer(0), .null], 1)]
        )
    }

    /// Lets the server delete the order, and refuse all that is sent then.
    private func refuse() throws {
        try Fixture.stage(store, "Orders", removed: [(order, .deleted)])
        let refusals = try Fixture.send(store).map {
            TransactionOutcome.refused(number: $0.number, code: "Forbidden", message: "No.", status: 403)
        }
        try store.settle(refusals)
        #expect(try store.pendingTransactions() == [])
    }

    @Test(arguments: [0, 1])
    func `what was inserted before the row that it refers to is sent behind it, whichever is sent again`(
        place: Int
    ) throws {
        _ = try store.write { try $0.insert(["Order": .integer(71)], into: "Details") }
        _ = try store.write { try $0.update(order, ["Status": .integer(1)], in: "Orders") }
        try refuse()
        let held = try store.quarantined()
        try #require(held.map { $0.changes.map(\.set) } == [["Details"], ["Orders"]])
        #expect(held.map { $0.changes.map(\.operation) } == [[.insert], [.insert]])
        try store.retry(quarantined: held[place].id)
        let pending = try store.pendingTransactions()
        try #require(pending.map { $0.changes.map(\.change.set) } == [["Orders"], ["Details"]])
        #expect(pending[1].dependencies == [pending[0].number])
        #expect(try store.quarantined() == [])
    }

    @Test func `what builds on it goes along behind it`() throws {
        let detail = try store.write { try $0.insert(["Order": .integer(71)], into: "Details") }
        _ = try store.write { try $0.update(order, ["Status": .integer(1)], in: "Orders") }
        try refuse()
        _ = try store.write { try $0.delete(detail, in: "Details") }
        let held = try store.quarantined()
        try #require(held.map { $0.changes.map(\.set) } == [["Details"], ["Orders"], ["Details"]])
        try store.retry(quarantined: held[1].id)
        #expect(try store.quarantined() == [])
        let changes = try store.pendingTransactions().flatMap(\.changes).map(\.change)
        #expect(changes.map(\.set) == ["Orders", "Details", "Details"])
        #expect(changes.map(\.operation) == [.insert, .insert, .delete])
    }

    @Test func `what the row's own transaction builds on stays before it`() throws {
        let detail = try store.write { try $0.insert(["Order": .integer(71)], into: "Details") }
        try store.write { transaction in
            _ = try transaction.update(order, ["Status": .integer(1)], in: "Orders")
            _ = try transaction.update(detail, ["Order": .integer(72)], in: "Details")
        }
        try refuse()
        let held = try store.quarantined()
        try #require(held.count == 2)
        try store.retry(quarantined: held[1].id)
        #expect(try store.quarantined() == [])
        let sent = try store.pendingTransactions().map { $0.changes.map(\.change.set) }
        #expect(sent.map { Set($0) } == [["Details"], ["Orders", "Details"]])
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// What is shown of a row when the answer to its change has come, and when a pull was faster than the answer.
struct AnsweredRowTests {
    let folder: TestFolder
    let store: LocalStore
    let a = Key([.string("a")])

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
        try Fixture.load(
            store,
            "Tags",
            [
                ([.string("a"), .integer(1), .string("A"), .integer(10)], 1),
                ([.string("b"), .integer(2), .string("B"), .integer(20)], 2),
            ]
        )
    }

    func tag(_ key: Key) throws -> [String: Value]? { try store.read { try $0.entity(key, in: "Tags") } }

    /// Gives a row another title, and sends that.
    private func sendTitle() throws {
        try store.write { _ = try $0.update(a, ["Title": .string("mine")], in: "Tags") }
        try Fixture.send(store)
    }

    @Test func `an accepted row is shown as the service made it`() throws {
        try sendTitle()
        // The service writes titles in capitals, and counts.
        let made: [Value] = [.string("a"), .integer(1), .string("MINE"), .integer(11)]
        let report = try store.settle([
            .accepted(number: 1, rows: [AcceptedRow(place: 0, key: a, etag: Fixture.etag(3), values: made)])
        ])
        #expect(report == SettleReport(accepted: 1))
        #expect(
            try tag(a) == ["Code": .string("a"), "Rank": .integer(1), "Title": .string("MINE"), "Hits": .integer(11)]
        )
        #expect(try store.conflicts().isEmpty)
    }

    @Test func `an accepted row that has left its subscription goes with the answer, not only with the next pull`()
        throws
    {
        try sendTitle()
        let sent: [Value] = [.string("a"), .integer(1), .string("mine"), .integer(10)]
        let report = try store.settle([
            .accepted(
                number: 1,
                rows: [AcceptedRow(place: 0, key: a, etag: Fixture.etag(3), values: sent, leavesScope: true)]
            )
        ])
        #expect(report == SettleReport(accepted: 1))
        #expect(try Fixture.rows(store, "Tags").map { $0["Code"] } == [.string("b")])
        #expect(try store.status().pendingTransactions == 0)
    }

    @Test func `what a pull brings before the answer is shown when the change is refused and given up`() throws {
        try sendTitle()
        try Fixture.stage(store, "Tags", [([.string("a"), .integer(1), .string("theirs"), .integer(10)], 3)])
        // Until the answer comes, the row shows what was written here.
        #expect(try tag(a)?["Title"] == .string("mine"))
        try store.settle([.refused(number: 1, code: "X", message: "No.", status: 400)])
        try store.discard(quarantined: try store.quarantined()[0].id)
        #expect(
            try tag(a) == ["Code": .string("a"), "Rank": .integer(1), "Title": .string("theirs"), "Hits": .integer(10)]
        )
        #expect(try store.status().quarantined == 0)
    }
}

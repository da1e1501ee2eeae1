// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

struct ApplyTests {
    let folder: TestFolder
    let store: LocalStore
    let a = Key([.string("a")])
    let b = Key([.string("b")])

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

    @Test func `a load replaces the set, typed by its columns, and records nothing`() throws {
        #expect(try tag(a) == ["Code": .string("a"), "Rank": .integer(1), "Title": .string("A"), "Hits": .integer(10)])
        #expect(try store.status().pendingTransactions == 0)
        #expect(try store.subscriptions() == [Subscription(set: "Tags", deltaLink: "link-1")])
        let order: [Value] = [
            .integer(7), .dateTimeOffset(DateTimeOffset(seconds: 60, nanoseconds: 500_000_000)), .integer(1), .null,
        ]
        try Fixture.load(store, "Orders", [(order, 1)])
        #expect(try Fixture.rows(store, "Orders")[0]["OrderDate"] == order[1])
        let detail: [Value] = [
            .integer(3), .integer(7), .decimal(EdmDecimal(coefficient: -12_345, scale: 3)),
            .decimal(EdmDecimal(coefficient: 5, scale: 1)),
        ]
        try Fixture.load(store, "Details", [(detail, 1)])
        #expect(try Fixture.rows(store, "Details")[0]["Total"] == detail[2])
        #expect(try Fixture.rows(store, "Details")[0]["Weight"] == detail[3])
        try store.reading { connection in
            #expect(try connection.integer("SELECT Total FROM Details") == -123_450)
            let text = try connection.query("SELECT OrderDate FROM Orders") { $0.string(0) }
            #expect(text == ["1970-01-01T00:01:00.500Z"])
        }
    }

    @Test(arguments: [9_007_199_254_740_993, -9_007_199_254_740_993, .max, .min])
    func `a whole number arrives digit by digit`(number: Int64) throws {
        try Fixture.load(store, "Tags", [([.string("a"), .integer(1), .string("A"), .integer(number)], 1)])
        #expect(try tag(a)?["Hits"] == .integer(number))
    }

    @Test func `a subscription keeps its link as long as it asks for the same`() throws {
        let wanted = Subscription(set: "Tags", filter: "Rank gt 1")
        try store.setSubscriptions([wanted])
        #expect(try store.subscriptions() == [wanted])
        var linked = wanted
        linked.deltaLink = "link-9"
        try store.setSubscriptions([linked])
        try store.setSubscriptions([wanted])
        #expect(try store.subscriptions() == [linked])
    }

    @Test func `rows known by their ETag are skipped, removed ones go, the last word counts`() throws {
        let report = try Fixture.stage(
            store,
            "Tags",
            [
                ([.string("a"), .integer(1), .string("A"), .integer(10)], 1),
                ([.string("c"), .integer(3), .string("C"), .null], 3),
                ([.string("c"), .integer(3), .string("C2"), .null], 4),
            ],
            removed: [(b, .deleted)]
        )
        #expect(report == ApplyReport(stored: 1, removed: 1, skipped: 1))
        #expect(try Fixture.rows(store, "Tags").map { $0["Title"] } == [.string("A"), .string("C2")])
        #expect(try store.subscriptions()[0].deltaLink == "link-2")
    }

    @Test func `a pending change is rebased: one side merges, both sides leave an entry in the log`() throws {
        try store.write { try $0.update(a, ["Title": .string("mine"), "Hits": .integer(11)], in: "Tags") }
        let report = try Fixture.stage(
            store,
            "Tags",
            [([.string("a"), .integer(5), .string("theirs"), .integer(10)], 9)]
        )
        #expect(report.merged == 1)
        #expect(report.conflicts.count == 1)
        #expect(
            try tag(a) == ["Code": .string("a"), "Rank": .integer(5), "Title": .string("theirs"), "Hits": .integer(11)]
        )
        let change = try store.pendingTransactions()[0].changes[0]
        #expect(change.change.assignments == [.init(property: 3, before: .integer(10), after: .integer(11))])
        #expect(change.baseETag == Fixture.etag(9))
        let conflict = try store.conflicts()[0]
        #expect(conflict.key == a)
        #expect(
            conflict.properties == [
                .init(
                    name: "Title",
                    base: .string("A"),
                    mine: .string("mine"),
                    theirs: .string("theirs"),
                    mineWon: false
                )
            ]
        )
        try store.restore(conflict: conflict.id)
        #expect(try tag(a)?["Title"] == .string("mine"))
        #expect(try store.conflicts().isEmpty)
    }

    @Test func `update beats delete on either side`() throws {
        try store.write { try $0.update(a, ["Title": .string("mine")], in: "Tags") }
        try store.write { try $0.delete(b, in: "Tags") }
        _ = try Fixture.stage(
            store,
            "Tags",
            [([.string("b"), .integer(2), .string("B2"), .integer(20)], 8)],
            removed: [(a, .deleted)]
        )
        #expect(try tag(a)?["Title"] == .string("mine"))
        #expect(try tag(b)?["Title"] == .string("B2"))
        let changes = try store.pendingTransactions().flatMap(\.changes)
        #expect(changes.map(\.change.operation) == [.insert])
        #expect(changes[0].baseETag == nil)
        #expect(try Set(store.conflicts().map(\.kind)) == [.deletedThere, .deletedHere])
    }

    @Test func `a row that is inserted again leaves what was sent before as it was sent`() throws {
        try store.write { try $0.update(a, ["Title": .string("sent")], in: "Tags") }
        try Fixture.send(store)
        try store.write { try $0.update(a, ["Title": .string("mine")], in: "Tags") }
        // The state has the first transaction, and what another one did after it.
        try Fixture.stage(store, "Tags", removed: [(a, .deleted)], decided: 1)
        #expect(try tag(a)?["Title"] == .string("mine"))
        let pending = try store.pendingTransactions()
        #expect(pending.map(\.number) == [1, 2])
        #expect(pending.map { $0.frozen == nil } == [false, true])
        #expect(pending.map { $0.changes.map(\.change.operation) } == [[.update], [.insert]])
        #expect(pending[0].changes[0].baseETag == Fixture.etag(1))
    }

    @Test func `a row that left the scope goes, its changes stay in the quarantine`() throws {
        try store.write { try $0.update(a, ["Title": .string("mine")], in: "Tags") }
        let report = try Fixture.stage(store, "Tags", removed: [(a, .changed)])
        #expect(report.quarantined.count == 1)
        #expect(try tag(a) == nil)
        let held = try store.quarantined()[0]
        #expect(held.code == "LeftScope")
        #expect(held.changes[0].assignments == [.init(property: 2, before: .string("A"), after: .string("mine"))])
        #expect(try store.pendingTransactions().isEmpty)
    }

    @Test func `a new load keeps what waits and what is local only`() throws {
        let id = Value.guid(GUID(high: 1, low: 1))
        try Fixture.load(store, "Clients", [([id, .string("n"), .null], 1)])
        try store.write { tx in
            try tx.update(Key([id]), ["Note": .string("local")], in: "Clients")
            try tx.update(a, ["Hits": .integer(99)], in: "Tags")
            try tx.insert(["Code": .string("new")], into: "Tags")
        }
        try Fixture.load(store, "Clients", [([id, .string("n2"), .null], 2)])
        try Fixture.load(store, "Tags", [([.string("a"), .integer(1), .string("A"), .integer(10)], 1)])
        #expect(try Fixture.rows(store, "Clients")[0]["Note"] == .string("local"))
        #expect(try tag(a)?["Hits"] == .integer(99))
        #expect(try tag(Key([.string("new")])) != nil)
        #expect(try tag(b) == nil)
        #expect(try store.pendingTransactions()[0].changes.count == 2)
    }

    @Test func `live results tell the first state, then differences, also those of a sync`() async throws {
        var results = store.results(of: try Fixture.plan(store, "Tags")).makeAsyncIterator()
        let first = try #require(try await results.next())
        #expect(first.batch.isFirst && first.rows.count == 2)
        try await store.write { try $0.update(Key([.string("b")]), ["Title": .string("x")], in: "Tags") }
        #expect(try await results.next()?.batch.words == ["update b from 0.1 to 0.1"])
        _ = try Fixture.stage(
            store,
            "Tags",
            [([.string("0"), .integer(8), .null, .null], 5)],
            removed: [(a, .deleted)]
        )
        let third = try #require(try await results.next())
        #expect(third.batch.words == ["delete a from 0.0", "insert 0 to 0.0"])
        #expect(third.rows.map { $0["Code"] } == [.string("0"), .string("b")])
        try store.close()
        #expect(try await results.next() == nil)
    }
}

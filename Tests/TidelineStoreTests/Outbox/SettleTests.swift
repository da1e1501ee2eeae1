// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

struct SettleTests {
    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
    }

    func order(_ id: Int64, status: Int64 = 0) -> [Value] { [.integer(id), .null, .integer(status), .null] }

    @Test func `an accepted insert gets its key everywhere`() throws {
        try store.write { tx in
            let order = try tx.insert([:], into: "Orders")
            try tx.insert(["Order": order.values[0]], into: "Details")
        }
        try Fixture.send(store)
        try store.write { try $0.insert(["Order": .integer(-1)], into: "Details") }
        try store.write { try $0.update(Key([.integer(-1)]), ["Status": .integer(4)], in: "Orders") }
        let report = try store.settle([
            .accepted(
                number: 1,
                rows: [
                    AcceptedRow(place: 0, key: Key([.integer(71)]), etag: Fixture.etag(1), values: order(71)),
                    AcceptedRow(
                        place: 1,
                        key: Key([.integer(81)]),
                        etag: Fixture.etag(2),
                        values: [.integer(81), .integer(71), .null, .null]
                    ),
                ]
            )
        ])
        #expect(report == SettleReport(accepted: 1))
        #expect(try Fixture.rows(store, "Orders").map { $0["OrderId"] } == [.integer(71)])
        #expect(try Fixture.rows(store, "Orders")[0]["Status"] == .integer(4))
        #expect(try Fixture.rows(store, "Details").map { $0["Order"] } == [.integer(71), .integer(71)])
        let pending = try store.pendingTransactions()
        try #require(pending.map(\.number) == [2, 3])
        #expect(pending[0].changes[0].change.assignments[1].after == .integer(71))
        #expect(pending[0].changes[0].temporaryReferences.isEmpty)
        #expect(pending[1].changes[0].change.key == Key([.integer(71)]))
        #expect(pending[1].changes[0].baseETag == Fixture.etag(1))
        #expect(try store.identity().acknowledged == 1)
        try store.versions(of: "Orders") { key, etag, isPending in
            #expect(key == Key([.integer(71)]) && etag == Fixture.etag(1) && isPending)
        }
    }

    @Test func `frozen bytes stay as they are until the outcome is known`() throws {
        try store.write { try $0.insert([:], into: "Orders") }
        try Fixture.send(store)
        // A crash: the file as it lies there is opened by another process.
        try store.close()
        try FileManager.default.copyItem(atPath: folder.file("a.tideline"), toPath: folder.file("b.tideline"))
        let after = try LocalStore(path: folder.file("b.tideline"))
        let pending = try after.pendingTransactions()
        try #require(pending.count == 1)
        #expect(pending[0].frozen == FrozenGroup(number: 1, requestID: GUID(high: 1, low: 1), bytes: [1, 2, 3]))
        try after.settle([.unknown(number: 1)])
        #expect(try after.pendingTransactions() == pending)
    }

    @Test func `a refused transaction and what builds on it wait in the quarantine, others go on`() throws {
        try store.write { try $0.insert([:], into: "Orders") }
        try Fixture.send(store)
        try store.write { try $0.insert(["Order": .integer(-1)], into: "Details") }
        try store.write { try $0.insert(["Code": .string("free")], into: "Tags") }
        let report = try store.settle([.refused(number: 1, code: "Forbidden", message: "No.", status: 403)])
        #expect(report.quarantined.count == 2)
        #expect(try store.pendingTransactions().map(\.number) == [3])
        #expect(try Fixture.rows(store, "Orders").count == 1)
        // A later write on a held row is held too.
        try store.write { try $0.update(Key([.integer(-1)]), ["Status": .integer(2)], in: "Orders") }
        let held = try store.quarantined()
        try #require(held.map(\.code) == ["Forbidden", "DependsOnQuarantined", "DependsOnQuarantined"])
        #expect(held.map(\.dependsOn) == [nil, held[0].id, held[0].id])
        try store.retry(quarantined: held[0].id)
        // The later write is a part of the insert now, which so is not refused for the old value again.
        #expect(try store.pendingTransactions().map(\.number) == [3, 5])
        let orders = try store.pendingTransactions().flatMap(\.changes).map(\.change).filter { $0.set == "Orders" }
        #expect(orders.map(\.operation) == [.insert])
        #expect(try store.quarantined().isEmpty)
    }

    @Test func `a row that is deleted while its insert is on the way stays deleted`() throws {
        try store.write { try $0.insert([:], into: "Orders") }
        try Fixture.send(store)
        try store.write { _ = try $0.delete(Key([.integer(-1)]), in: "Orders") }
        let report = try store.settle([
            .accepted(
                number: 1,
                rows: [AcceptedRow(place: 0, key: Key([.integer(71)]), etag: Fixture.etag(1), values: order(71))]
            )
        ])
        #expect(report == SettleReport(accepted: 1))
        #expect(try Fixture.rows(store, "Orders") == [])
        #expect(try store.conflicts().isEmpty)
        let pending = try store.pendingTransactions()
        try #require(pending.map(\.number) == [2] && pending[0].changes.count == 1)
        #expect(pending[0].changes[0].change.operation == .delete)
        #expect(pending[0].changes[0].change.key == Key([.integer(71)]))
        #expect(pending[0].changes[0].baseETag == Fixture.etag(1))
    }

    @Test func `a row that is deleted while its update is on the way stays deleted`() throws {
        try Fixture.load(store, "Tags", [([.string("a"), .integer(1), .string("A"), .null], 1)])
        let key = Key([.string("a")])
        try store.write { _ = try $0.update(key, ["Title": .string("B")], in: "Tags") }
        try Fixture.send(store)
        try store.write { _ = try $0.delete(key, in: "Tags") }
        let values: [Value] = [.string("a"), .integer(1), .string("B"), .null]
        try store.settle([
            .accepted(number: 1, rows: [AcceptedRow(place: 0, key: key, etag: Fixture.etag(2), values: values)])
        ])
        #expect(try Fixture.rows(store, "Tags") == [])
        #expect(try store.conflicts().isEmpty)
        let changes = try store.pendingTransactions().flatMap(\.changes)
        #expect(changes.map(\.change.operation) == [.delete])
        #expect(changes.map(\.baseETag) == [Fixture.etag(2)])
    }

    @Test func `discarding brings the rows back as the server has them`() throws {
        try Fixture.load(store, "Tags", [([.string("a"), .integer(1), .string("A"), .null], 1)])
        try store.write { tx in
            try tx.update(Key([.string("a")]), ["Title": .string("bad")], in: "Tags")
            try tx.insert(["Code": .string("new")], into: "Tags")
        }
        try Fixture.send(store)
        try store.settle([.refused(number: 1, code: "X", message: "No.", status: 400)])
        _ = try Fixture.stage(store, "Tags", [([.string("a"), .integer(7), .string("A"), .null], 2)])
        #expect(try Fixture.rows(store, "Tags").map { $0["Title"] } == [.string("bad"), .null])
        try store.discard(quarantined: try store.quarantined()[0].id)
        #expect(
            try Fixture.rows(store, "Tags") == [
                ["Code": .string("a"), "Rank": .integer(7), "Title": .string("A"), "Hits": .null]
            ]
        )
        #expect(
            try store.status() == StoreStatus(pendingTransactions: 0, sentTransactions: 0, quarantined: 0, conflicts: 0)
        )
    }

    @Test func `a conflict is merged and sent again under a new number, later ones after it`() throws {
        try Fixture.load(store, "Tags", [([.string("a"), .integer(1), .string("A"), .integer(1)], 1)])
        let a = Key([.string("a")])
        try store.write { try $0.update(a, ["Title": .string("mine"), "Hits": .integer(2)], in: "Tags") }
        try Fixture.send(store)
        try store.write { try $0.update(a, ["Hits": .integer(3)], in: "Tags") }
        let report = try store.settle([
            .conflict(
                number: 1,
                current: [
                    RemoteRow(
                        set: "Tags",
                        key: a,
                        etag: Fixture.etag(5),
                        values: [.string("a"), .integer(1), .string("theirs"), .integer(1)]
                    )
                ]
            )
        ])
        #expect(report.conflicts.count == 1)
        #expect(report.rebased == [3])
        let pending = try store.pendingTransactions()
        try #require(pending.map(\.number) == [3, 4])
        #expect(pending[0].frozen == nil)
        #expect(
            pending[0].changes[0].change.assignments == [.init(property: 3, before: .integer(1), after: .integer(2))]
        )
        #expect(pending[0].changes[0].baseETag == Fixture.etag(5))
        #expect(try Fixture.rows(store, "Tags")[0]["Title"] == .string("theirs"))
        #expect(try Fixture.rows(store, "Tags")[0]["Hits"] == .integer(3))
    }

    /// Found by the simulator: seed 2560, and seed 2701 for the number that stays.
    @Test func `what built on a transaction that is sent again comes after it, what did not keeps its number`() throws {
        try Fixture.load(
            store,
            "Tags",
            [
                ([.string("a"), .integer(1), .string("A"), .integer(1)], 1),
                ([.string("b"), .integer(2), .string("B"), .integer(1)], 2),
            ]
        )
        let a = Key([.string("a")])
        try store.write { tx in
            try tx.update(a, ["Title": .string("mine")], in: "Tags")
            try tx.update(Key([.string("b")]), ["Hits": .integer(2)], in: "Tags")
        }
        try Fixture.send(store)
        try store.write { tx in
            try tx.update(a, ["Title": .string("mine again")], in: "Tags")
            try tx.insert(["Code": .string("new")], into: "Tags")
        }
        try store.write { try $0.insert([:], into: "Orders") }
        let theirs = [Value.string("a"), .integer(1), .string("theirs"), .integer(1)]
        let report = try store.settle([
            .conflict(number: 1, current: [RemoteRow(set: "Tags", key: a, etag: Fixture.etag(5), values: theirs)])
        ])
        #expect(report.rebased == [4])
        let pending = try store.pendingTransactions()
        try #require(pending.map(\.number) == [3, 4, 5])
        // What tied the two together, a title that the service's won over, is in neither any more.
        #expect(pending.map { $0.changes.map(\.change.set) } == [["Orders"], ["Tags"], ["Tags"]])
        #expect(pending[1].changes[0].change.key == Key([.string("b")]))
        #expect(pending[2].changes[0].change.operation == .insert)
        // The file keeps the order: 5 is refused with 4, however often that is sent again.
        #expect(pending.map(\.earlier) == [[], [], [4]])
        #expect(pending.map(\.dependencies) == [[], [], [4]])
        try Fixture.send(store)
        let theirsToo = [Value.string("b"), .integer(2), .string("theirs"), .integer(1)]
        let b = Key([.string("b")])
        let again = try store.settle([
            .accepted(
                number: 3,
                rows: [AcceptedRow(place: 0, key: Key([.integer(1)]), etag: Fixture.etag(7), values: nil)]
            ),
            .conflict(number: 4, current: [RemoteRow(set: "Tags", key: b, etag: Fixture.etag(6), values: theirsToo)]),
            .again(number: 5),
        ])
        #expect(again.rebased == [6, 7])
        #expect(try store.pendingTransactions().map(\.earlier) == [[], [6]])
        try Fixture.send(store)
        try store.settle([
            .accepted(number: 6, rows: [AcceptedRow(place: 0, key: b, etag: Fixture.etag(8), values: nil)]),
            .unknown(number: 7),
        ])
        #expect(try store.pendingTransactions().map(\.earlier) == [[]])
    }

    /// Found by the simulator: seed 5557.
    @Test
    func `what a pull takes out of two transactions leaves them in their order, also where one between them is gone`()
        throws
    {
        try Fixture.load(store, "Tags", [([.string("a"), .integer(1), .string("A"), .integer(1)], 1)])
        let a = Key([.string("a")])
        for title in ["one", "two", "three"] {
            try store.write { tx in
                try tx.update(a, ["Title": .string(title)], in: "Tags")
                if title != "two" { try tx.insert(["Code": .string(title)], into: "Tags") }
            }
            // Handed out, it takes in nothing that is written later.
            _ = try store.pendingTransactions()
        }
        #expect(try store.pendingTransactions().map(\.dependencies) == [[], [1], [2]])
        try Fixture.stage(store, "Tags", [([.string("a"), .integer(1), .string("theirs"), .integer(1)], 5)])
        let pending = try store.pendingTransactions()
        try #require(pending.map(\.number) == [1, 3])
        #expect(pending.map { $0.changes.map(\.change.operation) } == [[.insert], [.insert]])
        #expect(pending.map(\.dependencies) == [[], [1]])
    }

    @Test func `an answer that is older than a pull does not put the row back`() throws {
        try Fixture.load(store, "Tags", [([.string("a"), .integer(1), .string("A"), .integer(1)], 1)])
        let a = Key([.string("a")])
        try store.write { try $0.update(a, ["Title": .string("mine")], in: "Tags") }
        try Fixture.send(store)
        // The server applied it, another device changed the row after, a pull saw both, the answer was lost meanwhile.
        _ = try Fixture.stage(
            store,
            "Tags",
            [([.string("a"), .integer(1), .string("other"), .integer(1)], 6)],
            decided: 1
        )
        try store.settle([
            .accepted(
                number: 1,
                rows: [
                    AcceptedRow(
                        place: 0,
                        key: a,
                        etag: Fixture.etag(5),
                        values: [.string("a"), .integer(1), .string("mine"), .integer(1)]
                    )
                ]
            )
        ])
        #expect(try Fixture.rows(store, "Tags")[0]["Title"] == .string("other"))
        #expect(try store.status().pendingTransactions == 0)
    }

    /// Found by the simulator: seed 18080.
    @Test(arguments: [true, false])
    func `what is refused twice for versions that its rows have waits for a person, with a reason`(
        deletes: Bool
    ) throws {
        let rows: [(values: [Value], etag: UInt64)] = [
            ([.string("a"), .integer(1), .string("A"), .null], 1),
            ([.string("b"), .integer(2), .string("B"), .null], 2),
        ]
        try Fixture.load(store, "Tags", rows)
        try store.write { tx in
            if deletes { try tx.delete(Key([.string("b")]), in: "Tags") }
            try tx.update(Key([.string("a")]), ["Title": .string("mine")], in: "Tags")
        }
        try Fixture.send(store)
        // The service refuses it for the versions, and has just those.
        let current = rows.map {
            RemoteRow(set: "Tags", key: Key([$0.values[0]]), etag: Fixture.etag($0.etag), values: $0.values)
        }
        // What was changed may have been fetched for another transaction, while the answer to this one was lost.
        #expect(try store.settle([.conflict(number: 1, current: current)]).rebased == [2])
        #expect(try store.quarantined().isEmpty)
        try Fixture.send(store)
        let report = try store.settle([.conflict(number: 2, current: current)])
        #expect(report.rebased == [])
        #expect(try store.pendingTransactions().isEmpty)
        #expect(try store.quarantined().map(\.code) == [deletes ? "FallsWithDeletion" : "PreconditionFailed"])
        #expect(
            try Fixture.rows(store, "Tags").map { $0["Title"] }
                == (deletes ? [.string("mine")] : [.string("mine"), .string("B")])
        )
    }
}

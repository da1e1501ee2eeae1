// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// What a killed process leaves is the file with its log, as it lies there: a copy of both is opened.
struct CrashTests {
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
                ([.string("a"), .integer(1), .string("A"), .null], 1),
                ([.string("b"), .integer(2), .string("B"), .null], 2),
            ]
        )
    }

    func afterKill() throws -> LocalStore {
        let name = UUID().uuidString
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: folder.file("a.tideline") + suffix) {
            try FileManager.default.copyItem(
                atPath: folder.file("a.tideline") + suffix,
                toPath: folder.file(name) + suffix
            )
        }
        return try LocalStore(path: folder.file(name))
    }

    @Test func `killed between freeze and settle, the same bytes are sent again and settled`() throws {
        try store.write { try $0.insert([:], into: "Orders") }
        try store.write { try $0.update(a, ["Title": .string("mine")], in: "Tags") }
        let sent = try Fixture.send(store)
        let after = try afterKill()
        let pending = try after.pendingTransactions()
        #expect(pending.map(\.changes) == sent.map(\.changes))
        #expect(pending.map { $0.frozen?.bytes } == [[1, 2, 3], [1, 2, 3]])
        #expect(pending.map { $0.frozen?.requestID } == [GUID(high: 1, low: 1), GUID(high: 1, low: 2)])
        #expect(try after.identity().acknowledged == 0)
        // Nothing that is made now gets into what was sent.
        try after.write { try $0.update(a, ["Title": .string("later")], in: "Tags") }
        #expect(try after.pendingTransactions().map(\.number) == [1, 2, 3])
        let order = AcceptedRow(
            place: 0,
            key: Key([.integer(5)]),
            etag: Fixture.etag(3),
            values: [.integer(5), .null, .integer(0), .null]
        )
        let tag = AcceptedRow(
            place: 0,
            key: a,
            etag: Fixture.etag(4),
            values: [.string("a"), .integer(1), .string("mine"), .null]
        )
        let report = try after.settle([.accepted(number: 1, rows: [order]), .accepted(number: 2, rows: [tag])])
        #expect(report.accepted == 2)
        #expect(try Fixture.rows(after, "Orders").map { $0["OrderId"] } == [.integer(5)])
        let left = try after.pendingTransactions()
        #expect(left.map(\.number) == [3])
        #expect(left[0].changes[0].baseETag == Fixture.etag(4))
        #expect(left[0].changes[0].change.assignments[0].before == .string("mine"))
    }

    @Test func `killed between staging and apply, the old state stands and the pull completes from the old link`()
        throws
    {
        try store.write { try $0.update(a, ["Title": .string("mine")], in: "Tags") }
        let sink = try store.stage(set: "Tags")
        Fixture.push([.string("b"), .integer(2), .string("B2"), .null], etag: Fixture.etag(9), into: sink)
        sink.removed(a, reason: .deleted)
        try sink.finish()
        let load = try store.beginLoad(set: "Marks")
        Fixture.push([.integer(1), .string("a")], etag: Fixture.etag(1), into: load)
        try load.finish()

        let after = try afterKill()
        #expect(try after.subscriptions() == [Subscription(set: "Tags", deltaLink: "link-1")])
        #expect(try Fixture.rows(after, "Tags").map { $0["Title"] } == [.string("mine"), .string("B")])
        #expect(try Fixture.rows(after, "Marks").isEmpty)
        // The same pull once more, with less in it: nothing of the first attempt comes along.
        let report = try Fixture.stage(after, "Tags", [([.string("b"), .integer(2), .string("B3"), .null], 10)])
        #expect(report == ApplyReport(stored: 1, removed: 0, skipped: 0))
        #expect(try Fixture.rows(after, "Tags").map { $0["Title"] } == [.string("mine"), .string("B3")])
        try Fixture.load(after, "Marks", [([.integer(2), .string("b")], 1)])
        #expect(try Fixture.rows(after, "Marks").map { $0["MarkId"] } == [.integer(2)])
        #expect(try after.subscriptions().first { $0.set == "Tags" }?.deltaLink == "link-2")
        #expect(try after.pendingTransactions().map(\.number) == [1])
    }
}

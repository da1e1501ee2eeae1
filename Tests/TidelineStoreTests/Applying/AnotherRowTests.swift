// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// States of the server whose ETag tells that the row is another one than that which this device changed.
struct AnotherRowTests {
    let folder: TestFolder
    let store: LocalStore
    let seven = Key([.integer(7)])
    let day = Value.dateTimeOffset(DateTimeOffset(seconds: 86_400))

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
        try Fixture.load(store, "Orders", [(row(.null, 1), 1)])
    }

    private func row(_ date: Value, _ status: Int64) -> [Value] { [.integer(7), date, .integer(status), .null] }

    /// The last digits of an ETag of a row that is so many uses of its key away from the first.
    private func version(_ number: UInt64, reuse: UInt32) -> UInt64 { ETag(Fixture.etag(number), reuse: reuse).low }

    @Test func `what is on its way keeps the row as it was changed, until its answer is known`() throws {
        try store.write { try $0.update(seven, ["Status": .integer(5)], in: "Orders") }
        try Fixture.send(store)
        try Fixture.stage(store, "Orders", [(row(day, 2), version(2, reuse: 5))])
        let waiting = try Fixture.rows(store, "Orders")
        #expect(waiting.map { $0["Status"] } == [.integer(5)])
        #expect(waiting.map { $0["OrderDate"] } == [.null], "Nothing of the other row is in it.")
        let current = RemoteRow(
            set: "Orders",
            key: seven,
            etag: ETag(Fixture.etag(2), reuse: 5),
            values: row(day, 2)
        )
        try store.settle([.conflict(number: 1, current: [current])])
        let rows = try Fixture.rows(store, "Orders")
        #expect(rows.map { $0["OrderId"] == .integer(7) } == [false, true])
        #expect(rows.map { $0["Status"] } == [.integer(5), .integer(2)])
        #expect(rows.map { $0["OrderDate"] } == [.null, day])
        let change = try #require(try store.pendingTransactions().first?.changes.first)
        #expect(change.change.operation == .insert)
        #expect(try store.conflicts().map(\.kind) == [.deletedThere])
    }

    @Test func `another version of the same use of the key is merged`() throws {
        try store.write { try $0.update(seven, ["Status": .integer(5)], in: "Orders") }
        try Fixture.stage(store, "Orders", [(row(day, 1), 2)])
        #expect(try Fixture.rows(store, "Orders").map { $0["OrderDate"] } == [day])
        #expect(try Fixture.rows(store, "Orders").map { $0["Status"] } == [.integer(5)])
        #expect(try store.conflicts().isEmpty)
    }
}

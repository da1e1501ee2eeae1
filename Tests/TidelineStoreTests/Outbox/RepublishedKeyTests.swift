// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// A row whose key another one had before, changed here while its domain is published anew: the new publication counts the
/// uses of keys from none.
struct RepublishedKeyTests {
    let folder: TestFolder
    let store: LocalStore
    private let key = Key([.integer(1)])

    init() throws {
        folder = try TestFolder()
        let model = EntityModel(namespace: "Test", sets: [Fixture.trips])
        store = try LocalStore.create(path: folder.file("a.tideline"), model: model)
        #expect(try store.setEpoch("a-one", from: nil) == nil)
        try load(ETag(Fixture.etag(1), reuse: 5), "old")
    }

    private func load(_ etag: ETag, _ motto: String) throws {
        try store.setSubscriptions([Subscription(set: "Trips")])
        let sink = try store.beginLoad(set: "Trips")
        Fixture.push([.integer(1), .string(motto)], etag: etag, into: sink)
        try sink.finish()
        _ = try store.apply(Checkpoint(deltaLinks: ["Trips": "t"], loads: ["Trips"]))
    }

    private func change(_ motto: String) throws {
        try store.write { try $0.update(key, ["Motto": .string(motto)], in: "Trips") }
    }

    private func waiting() throws -> [Change] { try store.pendingTransactions().flatMap(\.changes).map(\.change) }

    /// The change waits for the row that the server has, which is there once.
    private func expectOne(_ motto: String = "mine") throws {
        #expect(try Fixture.rows(store, "Trips") == [["Id": .integer(1), "Motto": .string(motto)]])
        let changes = try waiting()
        #expect(changes.map(\.operation) == [.update])
        #expect(changes.map(\.key) == [key])
    }

    /// The server's row is another one, and this device's is inserted again.
    private func expectTwo() throws {
        let rows = try Fixture.rows(store, "Trips")
        #expect(Set(rows.map { $0["Motto"] }) == [.string("mine"), .string("new")])
        #expect(rows.first { $0["Id"] == .integer(1) }?["Motto"] == .string("new"))
        #expect(try waiting().map(\.operation) == [.insert])
    }

    @Test func `a row is the same one where a new publication tells no use of its key`() throws {
        try change("mine")
        #expect(try store.setEpoch("b-two", from: "a-one") == nil)
        try load(Fixture.etag(1), "old")
        try expectOne()
    }

    @Test func `a refusal by a new publication is of the same row, too`() throws {
        try change("mine")
        try Fixture.send(store)
        let attempt = try #require(try store.pendingTransactions().first?.number)
        let current = RemoteRow(
            set: "Trips",
            key: key,
            etag: Fixture.etag(1),
            values: [.integer(1), .string("old")]
        )
        // What was sent and not answered waits for a person then, and is sent again by one.
        #expect(try store.setEpoch("b-two", from: "a-one")?.quarantined == [attempt])
        try store.retry(quarantined: try #require(try store.quarantined().first).id)
        try Fixture.send(store)
        let again = try #require(try store.pendingTransactions().first?.number)
        _ = try store.settle([.conflict(number: again, current: [current])])
        try expectOne()
    }

    @Test func `a key that was used again in the new publication is another row's`() throws {
        try change("mine")
        #expect(try store.setEpoch("b-two", from: "a-one") == nil)
        try load(ETag(Fixture.etag(2), reuse: 5), "new")
        try expectTwo()
    }

    @Test func `what is changed after the new publication was loaded knows its uses`() throws {
        try change("mine")
        #expect(try store.setEpoch("b-two", from: "a-one") == nil)
        try load(ETag(Fixture.etag(2), reuse: 3), "new")
        let numbers = try store.pendingTransactions().map(\.number)
        _ = try store.settle(numbers.map { .accepted(number: $0, rows: []) })
        try change("mine")
        try load(ETag(Fixture.etag(3), reuse: 3), "new")
        #expect(try waiting().map(\.operation) == [.update])
    }

    @Test func `what waits for a person is of the same row, too`() throws {
        try change("mine")
        let number = try #require(try store.pendingTransactions().first?.number)
        _ = try store.settle([.refused(number: number, code: "Rule", message: "No.", status: 422)])
        #expect(try store.setEpoch("b-two", from: "a-one") == nil)
        try load(Fixture.etag(1), "old")
        #expect(try Fixture.rows(store, "Trips") == [["Id": .integer(1), "Motto": .string("mine")]])
        #expect(try store.quarantined().flatMap(\.changes).map(\.operation) == [.update])
    }

    @Test func `so is a row that is changed before the new publication is loaded`() throws {
        #expect(try store.setEpoch("b-two", from: "a-one") == nil)
        try change("later")
        try load(Fixture.etag(1), "old")
        try expectOne("later")
    }

    @Test func `so is one whose change is made on what a pull had staged before`() throws {
        let sink = try store.stage(set: "Trips")
        Fixture.push([.integer(1), .string("staged")], etag: ETag(Fixture.etag(2), reuse: 5), into: sink)
        try sink.finish()
        #expect(try store.setEpoch("b-two", from: "a-one") == nil)
        _ = try store.apply(Checkpoint(deltaLinks: ["Trips": "t2"]))
        try change("later")
        try load(Fixture.etag(1), "old")
        try expectOne("later")
    }

    @Test func `what is loaded when the new publication is told is of it, and tells the uses of its keys`() throws {
        let sink = try store.beginLoad(set: "Trips")
        Fixture.push([.integer(1), .string("new")], etag: ETag(Fixture.etag(2), reuse: 3), into: sink)
        try sink.finish()
        #expect(try store.setEpoch("b-two", from: "a-one") == nil)
        _ = try store.apply(Checkpoint(deltaLinks: ["Trips": "t"], loads: ["Trips"]))
        try change("later")
        try load(ETag(Fixture.etag(3), reuse: 3), "new")
        try expectOne("later")
    }

    @Test func `where a backup was put back the uses are those of the same publication`() throws {
        try change("mine")
        #expect(try store.setEpoch("b-one", from: "a-one") == nil)
        try load(Fixture.etag(2), "new")
        try expectTwo()
    }
}

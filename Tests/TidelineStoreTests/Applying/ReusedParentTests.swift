// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// Crews (Trip, Berth) → Trips (generated), where the service gives a trip's key to another trip, which has a crew too.
struct ReusedParentTests {
    let folder: TestFolder
    let store: LocalStore
    /// The version of the other trip.
    let other = ETag(Fixture.etag(2), reuse: 5)

    init() throws {
        folder = try TestFolder()
        let model = EntityModel(
            namespace: "Test",
            sets: [
                EntitySet(
                    names: Names(wire: "Crews"),
                    type: EntityType(
                        names: Names(wire: "Crew"),
                        properties: [
                            Fixture.property("Trip", .int32, nullable: false),
                            Fixture.property("Berth", .string, nullable: false),
                            Fixture.property("Name", .string),
                        ],
                        key: [0, 1],
                        navigationProperties: [
                            NavigationProperty(
                                names: Names(wire: "TripRef"),
                                targetSet: "Trips",
                                isCollection: false,
                                isNullable: false,
                                isDependent: true,
                                constraints: [.init(source: 0, target: 0)],
                                onDelete: .cascade
                            )
                        ]
                    )
                ),
                Fixture.trips,
            ]
        )
        store = try LocalStore.create(path: folder.file("a.tideline"), model: model)
        try load(trips: [([.integer(1), .string("old")], Fixture.etag(1))], crews: [])
        try store.write { tx in
            try tx.update(Key([.integer(1)]), ["Motto": .string("mine")], in: "Trips")
            try tx.insert(["Trip": .integer(1), "Berth": .string("b"), "Name": .string("mine")], into: "Crews")
        }
    }

    private typealias Rows = [(values: [Value], etag: ETag)]

    private func load(trips: Rows, crews: Rows) throws {
        try store.setSubscriptions([Subscription(set: "Crews"), Subscription(set: "Trips")])
        for (set, rows) in [("Crews", crews), ("Trips", trips)] {
            let sink = try store.beginLoad(set: set)
            for row in rows { Fixture.push(row.values, etag: row.etag, into: sink) }
            try sink.finish()
        }
        _ = try store.apply(Checkpoint(deltaLinks: ["Crews": "c", "Trips": "t"], loads: ["Crews", "Trips"]))
    }

    private func loadOthers() throws {
        try load(
            trips: [([.integer(1), .string("other")], other)],
            crews: [([.integer(1), .string("b"), .string("theirs")], Fixture.etag(3))]
        )
    }

    /// The key that this device's trip waits under, which is inserted again.
    private func waitingKey() throws -> Value {
        let changes = try store.pendingTransactions().flatMap(\.changes).map(\.change)
        let inserts = changes.filter { $0.operation == .insert && $0.key.values.count == 1 }
        #expect(inserts.count == 1)
        let key = try #require(inserts.first?.key.values.first)
        #expect(RenamedKeys.mayHave([key]))
        return key
    }

    /// This device's trip is inserted again with its crew; the other trip has its own.
    private func expectBoth() throws {
        let waiting = try waitingKey()
        #expect(
            try Fixture.rows(store, "Trips") == [
                ["Id": waiting, "Motto": .string("mine")], ["Id": .integer(1), "Motto": .string("other")],
            ]
        )
        #expect(
            try Fixture.rows(store, "Crews") == [
                ["Trip": waiting, "Berth": .string("b"), "Name": .string("mine")],
                ["Trip": .integer(1), "Berth": .string("b"), "Name": .string("theirs")],
            ]
        )
        let changes = try store.pendingTransactions().flatMap(\.changes).map(\.change)
        #expect(changes.allSatisfy { $0.operation == .insert })
        #expect(Set(changes.map(\.key)) == [Key([waiting]), Key([waiting, .string("b")])])
        #expect(changes.count == 2)
    }

    /// Two crews of this device's trip, and that of the other one which has the key of the second.
    private func expectCrewsOfBoth() throws {
        let waiting = try waitingKey()
        #expect(
            try Fixture.rows(store, "Crews") == [
                ["Trip": waiting, "Berth": .string("b"), "Name": .string("mine")],
                ["Trip": waiting, "Berth": .string("c"), "Name": .string("mine")],
                ["Trip": .integer(1), "Berth": .string("c"), "Name": .string("theirs")],
            ]
        )
    }

    @Test func `rows whose keys hold one that another row has leave those of the other to it when both are loaded`()
        throws
    {
        try loadOthers()
        try expectBoth()
    }

    @Test func `what was loaded while an answer was awaited is there when this device's row leaves its key`() throws {
        try Fixture.send(store)
        try loadOthers()
        #expect(try Fixture.rows(store, "Crews").map { $0["Name"] } == [.string("mine")])
        let current = RemoteRow(
            set: "Trips",
            key: Key([.integer(1)]),
            etag: other,
            values: [.integer(1), .string("other")]
        )
        try store.settle([.conflict(number: 1, current: [current])])
        try expectBoth()
    }

    @Test func `rows leave those of the other's key whichever of them a refusal tells first`() throws {
        try load(
            trips: [([.integer(1), .string("old")], Fixture.etag(1))],
            crews: [([.integer(1), .string("c"), .string("old")], Fixture.etag(4))]
        )
        try store.write { tx in
            try tx.update(Key([.integer(1)]), ["Motto": .string("both")], in: "Trips")
            try tx.update(Key([.integer(1), .string("c")]), ["Name": .string("mine")], in: "Crews")
        }
        try Fixture.send(store)
        let crew = RemoteRow(
            set: "Crews",
            key: Key([.integer(1), .string("c")]),
            etag: Fixture.etag(3),
            values: [.integer(1), .string("c"), .string("theirs")]
        )
        let trip = RemoteRow(
            set: "Trips",
            key: Key([.integer(1)]),
            etag: other,
            values: [.integer(1), .string("other")]
        )
        let numbers = try store.pendingTransactions().map(\.number)
        try store.settle(numbers.map { .conflict(number: $0, current: [crew, trip]) })
        try expectCrewsOfBoth()
        // Nobody else changed the crew: it is gone with its trip, and the one that has its key is another.
        #expect(try store.conflicts().allSatisfy { $0.kind == .deletedThere })
    }

    @Test func `rows leave those of the other's key also where these are loaded and the other one is told as changed`()
        throws
    {
        try load(
            trips: [([.integer(1), .string("old")], Fixture.etag(1))],
            crews: [([.integer(1), .string("c"), .string("old")], Fixture.etag(4))]
        )
        try store.write { try $0.update(Key([.integer(1), .string("c")]), ["Name": .string("mine")], in: "Crews") }
        let loaded = try store.beginLoad(set: "Crews")
        Fixture.push([.integer(1), .string("c"), .string("theirs")], etag: Fixture.etag(3), into: loaded)
        try loaded.finish()
        let staged = try store.stage(set: "Trips")
        Fixture.push([.integer(1), .string("other")], etag: other, into: staged)
        try staged.finish()
        _ = try store.apply(
            Checkpoint(deltaLinks: ["Crews": "c2", "Trips": "t2"], loads: ["Crews"], staged: ["Trips"])
        )
        try expectCrewsOfBoth()
    }

    @Test func `a row that was deleted here leaves the other's below its key, too`() throws {
        try load(
            trips: [([.integer(1), .string("old")], Fixture.etag(1))],
            crews: [([.integer(1), .string("c"), .string("old")], Fixture.etag(4))]
        )
        try store.write { try $0.delete(Key([.integer(1), .string("c")]), in: "Crews") }
        try Fixture.send(store)
        try load(
            trips: [([.integer(1), .string("other")], other)],
            crews: [([.integer(1), .string("c"), .string("theirs")], Fixture.etag(3))]
        )
        let current = RemoteRow(
            set: "Trips",
            key: Key([.integer(1)]),
            etag: other,
            values: [.integer(1), .string("other")]
        )
        try store.settle([.conflict(number: 1, current: [current]), .again(number: 2)])
        let waiting = try waitingKey()
        #expect(
            try Fixture.rows(store, "Crews") == [
                ["Trip": waiting, "Berth": .string("b"), "Name": .string("mine")],
                ["Trip": .integer(1), "Berth": .string("c"), "Name": .string("theirs")],
            ]
        )
    }
}

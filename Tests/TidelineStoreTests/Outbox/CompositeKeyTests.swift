// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// Lots (Region, Lot: generated) ← Parts (Lot and Region as foreign key in the other order, both in the key) ← Notes.
struct CompositeKeyTests {
    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        let number = Fixture.property("Lot", .int32, nullable: false)
        let region = Fixture.property("Region", .string, nullable: false)
        let model = EntityModel(
            namespace: "Test",
            sets: [
                EntitySet(
                    names: Names(wire: "Lots"),
                    type: EntityType(
                        names: Names(wire: "Lot"),
                        properties: [
                            region, Fixture.property("Lot", .int32, nullable: false, generation: .onInsert),
                        ],
                        key: [0, 1]
                    )
                ),
                EntitySet(
                    names: Names(wire: "Parts"),
                    type: EntityType(
                        names: Names(wire: "Part"),
                        properties: [number, region, Fixture.property("Line", .int32, nullable: false)],
                        key: [0, 1, 2],
                        navigationProperties: [
                            NavigationProperty(
                                names: Names(wire: "LotRef"),
                                targetSet: "Lots",
                                isCollection: false,
                                isNullable: false,
                                isDependent: true,
                                constraints: [.init(source: 0, target: 1), .init(source: 1, target: 0)]
                            )
                        ]
                    )
                ),
                EntitySet(
                    names: Names(wire: "Notes"),
                    type: EntityType(
                        names: Names(wire: "Note"),
                        properties: [
                            Fixture.property("NoteId", .string, nullable: false), Fixture.property("Lot", .int32),
                            Fixture.property("Region", .string), Fixture.property("Line", .int32),
                        ],
                        key: [0],
                        navigationProperties: [
                            NavigationProperty(
                                names: Names(wire: "PartRef"),
                                targetSet: "Parts",
                                isCollection: false,
                                isDependent: true,
                                constraints: [
                                    .init(source: 1, target: 0), .init(source: 2, target: 1),
                                    .init(source: 3, target: 2),
                                ]
                            )
                        ]
                    )
                ),
            ]
        )
        store = try LocalStore.create(path: folder.file("a.tideline"), model: model)
    }

    func write() throws {
        try store.write { tx in
            let lot = try tx.insert(["Region": .string("n")], into: "Lots")
            #expect(lot == Key([.string("n"), .integer(-1)]))
            try tx.insert(["Lot": .integer(-1), "Region": .string("n"), "Line": .integer(1)], into: "Parts")
        }
        try store.write { tx in
            try tx.insert(
                ["NoteId": .string("x"), "Lot": .integer(-1), "Region": .string("n"), "Line": .integer(1)],
                into: "Notes"
            )
        }
    }

    @Test func `references over several properties are told whatever their order`() throws {
        try write()
        let pending = try store.pendingTransactions()
        #expect(pending.map { $0.changes.map(\.hasTemporaryKey) } == [[true, false], [false]])
        #expect(
            pending[0].changes[1].temporaryReferences == [.init(navigation: 0, target: .init(number: 1, place: 0))]
        )
    }

    @Test func `what refers to a refused row waits with it, whatever the order of the reference's properties`() throws {
        try store.write { try $0.insert(["Region": .string("n")], into: "Lots") }
        try store.write {
            try $0.insert(["Lot": .integer(-1), "Region": .string("n"), "Line": .integer(1)], into: "Parts")
        }
        try store.write { try $0.insert(["Region": .string("n")], into: "Lots") }
        try Fixture.send(store)
        try store.settle([
            .refused(number: 1, code: "Forbidden", message: "No.", status: 403), .again(number: 2), .again(number: 3),
        ])
        let held = try store.quarantined()
        #expect(held.map(\.code) == ["Forbidden", "DependsOnQuarantined"])
        #expect(held.map(\.dependsOn) == [nil, held.first?.id])
        // Another lot goes on, under a new number.
        #expect(try store.pendingTransactions().map { $0.changes.map(\.change.key) } == [[Key([.string("n"), -2])]])
    }

    @Test func `a key that the server made goes into composite foreign keys, and on through the keys they are part of`()
        throws
    {
        try write()
        try Fixture.send(store)
        // What is made after sending, too.
        try store.write { tx in
            try tx.insert(["Lot": .integer(-1), "Region": .string("n"), "Line": .integer(2)], into: "Parts")
            try tx.update(Key([.string("x")]), ["Line": .integer(2)], in: "Notes")
        }
        try store.settle([
            .accepted(
                number: 1,
                rows: [
                    AcceptedRow(
                        place: 0,
                        key: Key([.string("n"), .integer(40)]),
                        etag: Fixture.etag(1),
                        values: [.string("n"), .integer(40)]
                    ),
                    AcceptedRow(
                        place: 1,
                        key: Key([.integer(40), .string("n"), .integer(1)]),
                        etag: Fixture.etag(2),
                        values: [.integer(40), .string("n"), .integer(1)]
                    ),
                ]
            )
        ])
        #expect(try Fixture.rows(store, "Lots") == [["Region": .string("n"), "Lot": .integer(40)]])
        #expect(
            try Fixture.rows(store, "Parts")
                == [1, 2].map {
                    ["Lot": .integer(40), "Region": .string("n"), "Line": .integer($0)]
                }
        )
        #expect(
            try Fixture.rows(store, "Notes") == [
                ["NoteId": .string("x"), "Lot": .integer(40), "Region": .string("n"), "Line": .integer(2)]
            ]
        )
        let later = try store.pendingTransactions()
        try #require(later.map(\.number) == [2, 3])
        #expect(
            later[0].changes[0].change.assignments.map(\.after) == [
                .string("x"), .integer(40), .string("n"), .integer(1),
            ]
        )
        #expect(later[1].changes[0].change.key == Key([.integer(40), .string("n"), .integer(2)]))
        #expect(later.flatMap(\.changes).allSatisfy { $0.temporaryReferences.isEmpty && !$0.hasTemporaryKey })
        try store.versions(of: "Parts") { key, etag, isPending in
            let isFirst = key.values[2] == .integer(1)
            #expect(etag == (isFirst ? Fixture.etag(2) : nil) && isPending == !isFirst)
        }
    }
}

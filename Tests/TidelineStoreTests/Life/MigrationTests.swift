// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

/// The model of the fixture as later releases of an app have it.
enum NextModel {
    static func changed(_ change: (inout [EntitySet]) -> Void) -> EntityModel {
        var sets = Fixture.model.sets
        change(&sets)
        return EntityModel(namespace: "Test", sets: sets)
    }

    static func tags(_ change: (inout EntityType) -> Void) -> EntityModel {
        changed { change(&$0[3].type) }
    }

    static let withNotes = tags { $0.properties.append(Fixture.property("Notes", .string)) }
    static let withCaption = tags { $0.properties[2].names = Names(wire: "Caption") }
    static let rename = StoreMigration(to: 2, [.renameProperty("Title", of: "Tags", to: "Caption")])
}

func code<Result>(_ body: () throws -> Result) -> LocalStoreError.Code? {
    do {
        _ = try body()
        return nil
    } catch { return (error as? LocalStoreError)?.code }
}

struct MigrationTests {
    let folder: TestFolder
    var path: String { folder.file("a.tideline") }
    let a = Key([.string("a")])

    init() throws {
        folder = try TestFolder()
        let store = try LocalStore.open(path: folder.file("a.tideline"), model: Fixture.model)
        try Fixture.load(
            store,
            "Tags",
            [
                ([.string("a"), .integer(1), .string("A"), .null], 1),
                ([.string("b"), .integer(2), .string("B"), .null], 2),
                ([.string("c"), .integer(3), .string("C"), .null], 3),
            ]
        )
        try store.write { try $0.update(Key([.string("a")]), ["Title": .string("mine")], in: "Tags") }
        try store.close()
    }

    @Test(arguments: [true, false])
    func `a device that follows all sets follows new ones too`(followsAll: Bool) throws {
        let sets = Fixture.model.sets.map(\.names.wire)
        let followed = followsAll ? sets : Array(sets.dropLast())
        do {
            let store = try LocalStore.open(path: path, model: Fixture.model)
            try store.setSubscriptions(followed.map { Subscription(set: $0) })
            try store.close()
        }
        let model = NextModel.changed { sets in
            let id = Fixture.property("LabelId", .int64, nullable: false)
            let type = EntityType(names: Names(wire: "Label"), properties: [id], key: [0])
            sets.append(EntitySet(names: Names(wire: "Labels"), type: type))
        }
        let now = try LocalStore.open(path: path, model: model).subscriptions().map(\.set)
        #expect(now.sorted() == (followsAll ? sets + ["Labels"] : followed).sorted())
    }

    @Test(.covers("MD-I65", "SB-F072", "SB-F073"))
    func `a new property and a new set need no step, and rows and pending changes stay`() throws {
        let model = NextModel.changed { sets in
            sets[3].type.properties.append(Fixture.property("Notes", .string))
            sets[3].type.properties.append(
                Fixture.property("Stars", .int32, nullable: false, defaultValue: .integer(3))
            )
            sets.append(
                EntitySet(
                    names: Names(wire: "Labels"),
                    type: EntityType(
                        names: Names(wire: "Label"),
                        properties: [Fixture.property("LabelId", .int64, nullable: false)],
                        key: [0]
                    )
                )
            )
        }
        let store = try LocalStore.open(path: path, model: model)
        #expect(store.model.sets.map(\.names.wire) == ["Clients", "Orders", "Details", "Tags", "Marks", "Labels"])
        let rows = try Fixture.rows(store, "Tags")
        #expect(rows.map { $0["Title"] } == [.string("mine"), .string("B"), .string("C")])
        #expect(rows.map { $0["Stars"] } == [.integer(3), .integer(3), .integer(3)])
        #expect(rows.map { $0["Notes"] } == [.null, .null, .null])
        let pending = try store.pendingTransactions()
        #expect(pending.map(\.number) == [1])
        #expect(
            pending[0].changes[0].change.assignments == [
                .init(property: 2, before: .string("A"), after: .string("mine"))
            ]
        )
        #expect(pending[0].changes[0].baseETag == Fixture.etag(1))
        // The new properties have to be loaded: the set has no delta link any more.
        #expect(try store.subscriptions() == [Subscription(set: "Tags")])
        try store.write { try $0.update(a, ["Notes": .string("n")], in: "Tags") }
        try store.write { try $0.insert(["LabelId": .integer(1)], into: "Labels") }
        #expect(try store.status().pendingTransactions == 3)
        #expect(try store.droppedChanges() == [])
    }

    @Test func `what is loaded after a migration comes in whole, though the versions of the rows are the same`() throws
    {
        let store = try LocalStore.open(path: path, model: NextModel.withNotes)
        let rows: [(values: [Value], etag: UInt64)] = [
            ([.string("a"), .integer(1), .string("A"), .null, .string("na")], 1),
            ([.string("b"), .integer(2), .string("B"), .null, .string("nb")], 2),
            ([.string("c"), .integer(3), .string("C"), .null, .string("nc")], 3),
        ]
        try Fixture.load(store, "Tags", rows)
        let loaded = try Fixture.rows(store, "Tags")
        #expect(loaded.map { $0["Notes"] } == [.string("na"), .string("nb"), .string("nc")])
        #expect(loaded.map { $0["Title"] } == [.string("mine"), .string("B"), .string("C")])
    }

    @Test(.covers("MD-I65"))
    func `a renamed property keeps its values, pending changes, quarantine, conflict log and base values`() throws {
        var store = try LocalStore(path: path)
        // A conflict on a, a base value of b, and c in quarantine.
        try Fixture.stage(store, "Tags", [([.string("a"), .integer(1), .string("theirs"), .null], 9)])
        try store.write { try $0.update(Key([.string("b")]), ["Title": .string("B2")], in: "Tags") }
        try Fixture.stage(store, "Tags", [([.string("b"), .integer(2), .string("B"), .integer(5)], 8)])
        try store.write { try $0.update(Key([.string("c")]), ["Title": .string("C2")], in: "Tags") }
        try Fixture.send(store)
        let last = try #require(try store.pendingTransactions().last?.number)
        try store.settle([.refused(number: last, code: "Rule", message: "No.", status: 422)])
        let conflicts = try store.conflicts()
        #expect(conflicts.map(\.properties.first?.name) == ["Title"])
        try store.close()

        store = try LocalStore.open(path: path, model: NextModel.withCaption, migrations: [NextModel.rename])
        let rows = try Fixture.rows(store, "Tags")
        #expect(rows.map { $0["Caption"] } == [.string("theirs"), .string("B2"), .string("C2")])
        #expect(rows.map { $0["Hits"] } == [.null, .integer(5), .null])
        let conflict = try #require(try store.conflicts().first)
        #expect(conflict.key == a)
        #expect(
            conflict.properties
                == [
                    Conflict.Property(
                        name: "Caption",
                        base: .string("A"),
                        mine: .string("mine"),
                        theirs: .string("theirs"),
                        mineWon: false
                    )
                ]
        )
        let pending = try store.pendingTransactions()
        #expect(pending.flatMap(\.changes).map(\.change.key) == [Key([.string("b")])])
        #expect(pending.map { $0.frozen?.bytes } == [[1, 2, 3]])
        let held = try #require(try store.quarantined().first)
        #expect(held.changes.map(\.key) == [Key([.string("c")])])
        // Given up, a change leaves what the server had last, by the new name.
        try store.discard(quarantined: held.id)
        #expect(try store.read { try $0.entity(Key([.string("c")]), in: "Tags") }?["Caption"] == .string("C"))
        try store.restore(conflict: conflict.id)
        #expect(try store.read { try $0.entity(Key([.string("a")]), in: "Tags") }?["Caption"] == .string("mine"))
    }

    @Test func `what was sent before a rename is settled after it`() throws {
        var store = try LocalStore(path: path)
        try Fixture.send(store)
        try store.close()
        store = try LocalStore.open(path: path, model: NextModel.withCaption, migrations: [NextModel.rename])
        let row = AcceptedRow(
            place: 0,
            key: a,
            etag: Fixture.etag(7),
            values: [.string("a"), .integer(1), .string("mine!"), .null]
        )
        #expect(try store.settle([.accepted(number: 1, rows: [row])]).accepted == 1)
        #expect(try store.status().pendingTransactions == 0)
        #expect(try Fixture.rows(store, "Tags")[0]["Caption"] == .string("mine!"))
    }

    @Test(.covers("MD-I65"))
    func `an older release refuses the file of a newer one and leaves it as it is`() throws {
        try LocalStore.open(path: path, model: NextModel.withCaption, migrations: [NextModel.rename]).close()
        #expect(code { try LocalStore.open(path: path, model: Fixture.model) } == .newerVersion)
        let newer = try LocalStore(path: path)
        #expect(newer.model.sets[3].type.properties[2].names.wire == "Caption")
        #expect(try Fixture.rows(newer, "Tags").map { $0["Caption"] } == [.string("mine"), .string("B"), .string("C")])
        #expect(try newer.waitingChanges().count == 1)
        // Without a version the model tells: what it does not know is of a newer release.
        let other = folder.file("b")
        try LocalStore.open(path: other, model: NextModel.withNotes).close()
        #expect(code { try LocalStore.open(path: other, model: Fixture.model) } == .newerVersion)
        #expect(try LocalStore(path: other).model.sets[3].type.properties.count == 5)
    }

    @Test func `a difference that no step explains is named`() throws {
        let retyped = NextModel.tags { $0.properties[3].type = .string }
        #expect(code { try LocalStore.open(path: path, model: retyped) } == .migrationNeeded)
        let required = NextModel.tags { $0.properties.append(Fixture.property("Must", .string, nullable: false)) }
        #expect(code { try LocalStore.open(path: path, model: required) } == .migrationNeeded)
        let filled = StoreMigration(to: 2, [.fill("Must", of: "Tags", with: .string("x"))])
        let store = try LocalStore.open(path: path, model: required, migrations: [filled])
        #expect(try Fixture.rows(store, "Tags").map { $0["Must"] } == [.string("x"), .string("x"), .string("x")])
        let unknown = StoreMigration(to: 3, [.dropProperty("Nope", of: "Tags")])
        try store.close()
        #expect(
            code { try LocalStore.open(path: path, model: required, migrations: [filled, unknown]) } == .migrationNeeded
        )
    }

    @Test func `a pending change of a dropped property is told, and kept until the app forgets it`() throws {
        let dropped = NextModel.tags { $0.properties.remove(at: 2) }
        let step = StoreMigration(to: 2, [.dropProperty("Title", of: "Tags")])
        var store = try LocalStore.open(path: path, model: dropped, migrations: [step])
        let expected = DroppedChange(
            transaction: 1,
            set: "Tags",
            key: ["a"],
            operation: "update",
            property: "Title",
            before: "A",
            after: "mine"
        )
        #expect(try store.droppedChanges() == [expected])
        #expect(try store.status().pendingTransactions == 0)
        #expect(try Fixture.rows(store, "Tags")[0].keys.sorted() == ["Code", "Hits", "Rank"])
        try store.close()
        store = try LocalStore.open(path: path, model: dropped, migrations: [step])
        #expect(try store.droppedChanges() == [expected])
        try store.forgetDroppedChanges()
        #expect(try store.droppedChanges() == [])
    }

    @Test func `a dropped set takes its rows along and tells its pending changes`() throws {
        let store = try LocalStore(path: path)
        try store.write { try $0.delete(Key([.string("b")]), in: "Tags") }
        try store.close()
        let model = NextModel.changed { sets in
            sets.remove(at: 3)
            sets[3].type.navigationProperties = []
        }
        let next = try LocalStore.open(
            path: path,
            model: model,
            migrations: [StoreMigration(to: 2, [.dropSet("Tags")])]
        )
        #expect(try next.droppedChanges().map(\.operation) == ["update", "delete"])
        #expect(try next.droppedChanges().map(\.property) == ["Title", nil])
        #expect(try next.status().pendingTransactions == 0)
        #expect(try next.subscriptions() == [])
    }

    @Test func `another process that has the file open is told to open it again`() throws {
        let old = try LocalStore(path: path)
        let new = try LocalStore.open(path: path, model: NextModel.withCaption, migrations: [NextModel.rename])
        #expect(
            code { try old.write { try $0.update(Key([.string("b")]), ["Title": .string("x")], in: "Tags") } }
                == .modelChanged
        )
        #expect(code { try Fixture.rows(old, "Tags") } == .modelChanged)
        #expect(try Fixture.rows(new, "Tags").count == 3)
    }
}

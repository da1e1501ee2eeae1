// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelineStore

/// Steps that compute values, and what ends a migration in the middle.
struct ConversionTests {
    let folder: TestFolder
    var path: String { folder.file("a.tideline") }

    init() throws { folder = try TestFolder() }

    private func old(_ fill: (LocalStore) throws -> Void) throws {
        let store = try LocalStore.open(path: path, model: Fixture.model)
        try fill(store)
        try store.close()
    }

    @Test func `a property of another type takes rows and pending changes along`() throws {
        try old { store in
            try store.write { try $0.insert(["Status": .integer(7)], into: "Orders") }
            try store.write { try $0.insert(["Code": .string("12"), "Hits": .integer(4)], into: "Tags") }
        }
        let model = NextModel.changed { sets in
            sets[1].type.properties[2] = Fixture.property("Status", .string, nullable: false)
            sets[3].type.properties[3] = Fixture.property("Hits", .decimal, precision: 10, scale: 2)
        }
        let steps = StoreMigration(
            to: 2,
            [
                .retype("Status", of: "Orders") { value in
                    guard case .integer(let number) = value else { return value }
                    return .string("S\(number)")
                },
                .retype("Hits", of: "Tags"),
            ]
        )
        let store = try LocalStore.open(path: path, model: model, migrations: [steps])
        #expect(try Fixture.rows(store, "Orders")[0]["Status"] == .string("S7"))
        #expect(
            try Fixture.rows(store, "Tags")[0]["Hits"] == .decimal(EdmDecimal(coefficient: 400, scale: 2))
        )
        let changes = try store.pendingTransactions().flatMap(\.changes).map(\.change)
        #expect(changes[0].assignments[2].after == .string("S7"))
        #expect(changes[1].assignments[3].after == .decimal(EdmDecimal(coefficient: 400, scale: 2)))
        #expect(try store.write { try $0.insert(["Status": .string("n")], into: "Orders") } == Key([.integer(-2)]))
    }

    @Test func `a value that cannot be converted ends the migration and leaves the old file`() throws {
        try old { store in
            _ = try store.write { try $0.insert(["Code": .string("x"), "Title": .string("no number")], into: "Tags") }
        }
        let model = NextModel.tags { $0.properties[2] = Fixture.property("Title", .int64) }
        let step = StoreMigration(to: 2, [.retype("Title", of: "Tags")])
        #expect(code { try LocalStore.open(path: path, model: model, migrations: [step]) } == .invalidValue)
        let store = try LocalStore.open(path: path, model: Fixture.model)
        #expect(try Fixture.rows(store, "Tags")[0]["Title"] == .string("no number"))
        #expect(try store.status().pendingTransactions == 1)
    }

    @Test func `one property splits into two, in rows and in pending changes`() throws {
        try old { store in
            try Fixture.load(store, "Tags", [([.string("a"), .integer(1), .string("Ada Lovelace"), .null], 1)])
            try store.write {
                try $0.update(Key([.string("a")]), ["Title": .string("Grace Hopper")], in: "Tags")
            }
        }
        let model = NextModel.tags { type in
            type.properties.remove(at: 2)
            type.properties += [Fixture.property("First", .string), Fixture.property("Last", .string)]
        }
        let step = StoreMigration.Step.splitProperty("Title", of: "Tags", into: ["First", "Last"]) { value in
            guard case .string(let text) = value else { return [.null, .null] }
            let words = text.split(separator: " ", maxSplits: 1).map { Value.string(String($0)) }
            return words.count == 2 ? words : [.null, value]
        }
        let store = try LocalStore.open(path: path, model: model, migrations: [StoreMigration(to: 2, [step])])
        let row = try Fixture.rows(store, "Tags")[0]
        #expect(row["First"] == .string("Grace"))
        #expect(row["Last"] == .string("Hopper"))
        #expect(
            try store.pendingTransactions()[0].changes[0].change.assignments == [
                .init(property: 3, before: .string("Ada"), after: .string("Grace")),
                .init(property: 4, before: .string("Lovelace"), after: .string("Hopper")),
            ]
        )
        #expect(try store.droppedChanges() == [])
    }

    @Test func `properties move to a set of their own, and pending changes are made of both sets`() throws {
        try old { store in
            try Fixture.load(store, "Tags", [([.string("a"), .integer(1), .string("A"), .integer(5)], 1)])
            try store.write {
                try $0.update(Key([.string("a")]), ["Title": .string("A2"), "Hits": .integer(6)], in: "Tags")
            }
            try store.write { try $0.insert(["Code": .string("n"), "Hits": .integer(1)], into: "Tags") }
        }
        let model = NextModel.changed { sets in
            let hits = sets[3].type.properties.remove(at: 3)
            let type = EntityType(
                names: Names(wire: "Counter"),
                properties: [Fixture.property("Code", .string, nullable: false), hits],
                key: [0]
            )
            sets.append(EntitySet(names: Names(wire: "Counters"), type: type))
        }
        let step = StoreMigration(to: 2, [.splitSet("Tags", moving: ["Hits"], to: "Counters")])
        let store = try LocalStore.open(path: path, model: model, migrations: [step])
        #expect(try Fixture.rows(store, "Tags").map { $0["Title"] } == [.string("A2"), .null])
        #expect(try Fixture.rows(store, "Counters").map { $0["Hits"] } == [.integer(6), .integer(1)])
        let pending = try store.pendingTransactions()
        #expect(pending.map { $0.changes.map(\.change.set) } == [["Tags", "Counters"], ["Tags", "Counters"]])
        #expect(pending.map { $0.changes.map(\.change.operation) } == [[.update, .update], [.insert, .insert]])
        #expect(
            pending[0].changes[1].change.assignments == [.init(property: 1, before: .integer(5), after: .integer(6))]
        )
        #expect(pending[0].changes.map(\.baseETag) == [Fixture.etag(1), nil])
    }

    @Test func `two sets and two properties can swap their names`() throws {
        try old { store in
            try store.write {
                try $0.insert(["Code": .string("a"), "Rank": .integer(1), "Hits": .integer(9)], into: "Tags")
            }
            try store.write { try $0.insert(["MarkId": .integer(7)], into: "Marks") }
            try store.writing { connection in
                let marks = try store.layout.set("Marks").index
                func mark(_ number: Int64) -> RowIdentity { RowIdentity(set: marks, key: [.integer(number)]) }
                return (try ServerEffects(connection).noteRenamed(mark(-1), to: mark(7)), [])
            }
        }
        let model = NextModel.changed { sets in
            sets[3].names = Names(wire: "Marks")
            sets[4].names = Names(wire: "Tags")
            sets[4].type.navigationProperties[0].targetSet = "Marks"
        }
        let steps: [StoreMigration.Step] = [
            .renameSet("Tags", to: "T"), .renameSet("Marks", to: "Tags"), .renameSet("T", to: "Marks"),
            .renameProperty("Rank", of: "Marks", to: "R"), .renameProperty("Hits", of: "Marks", to: "Rank"),
            .renameProperty("R", of: "Marks", to: "Hits"),
        ]
        let store = try LocalStore.open(path: path, model: model, migrations: [StoreMigration(to: 2, steps)])
        // An entity that was read before still leads to its row.
        #expect(try store.read { try $0.currentKey(Key([.integer(-1)]), in: "Tags") } == Key([.integer(7)]))
        #expect(
            try Fixture.rows(store, "Marks") == [
                ["Code": .string("a"), "Rank": .integer(9), "Title": .null, "Hits": .integer(1)]
            ]
        )
        #expect(try Fixture.rows(store, "Tags").map { $0["MarkId"] } == [.integer(7)])
        #expect(try store.waitingChanges().map(\.set) == ["Marks", "Tags"])
    }

    @Test(.covers("MD-I65"))
    func `a process that is killed before the commit leaves the old file`() async throws {
        try old { store in
            _ = try store.write { try $0.insert(["Code": .string("a"), "Title": .string("A")], into: "Tags") }
        }
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            unsafe setenv("TIDELINE_FAIL_POINT", "migration.before-commit", 1)
            _ = try LocalStore.open(path: path, model: NextModel.withCaption, migrations: [NextModel.rename])
        }
        let old = try LocalStore(path: path)
        #expect(try Fixture.rows(old, "Tags")[0]["Title"] == .string("A"))
        try old.close()
        let new = try LocalStore.open(path: path, model: NextModel.withCaption, migrations: [NextModel.rename])
        #expect(try Fixture.rows(new, "Tags")[0]["Caption"] == .string("A"))
        #expect(try new.waitingChanges().count == 1)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelineStore

/// Keys with a default of the database that is not a count: a random GUID this device can make as well.
struct MadeKeyTests {
    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        let id = Fixture.property("Id", .guid, nullable: false, generation: .onInsert)
        let name = Fixture.property("Name", .string)
        func link(to target: String) -> NavigationProperty {
            NavigationProperty(
                names: Names(wire: "Whole"),
                targetSet: target,
                isCollection: false,
                isDependent: true,
                constraints: [.init(source: 0, target: 0)],
                onDelete: .cascade
            )
        }
        let code = Fixture.property("Code", .string, nullable: false, generation: .onInsert)
        let tenant = Fixture.property("Tenant", .guid, nullable: false, generation: .onInsert)
        let owner = Fixture.property("Owner", .int32, nullable: false)
        func set(
            _ name: String,
            _ properties: [Property],
            key: [Int] = [0],
            _ links: [NavigationProperty] = []
        ) -> EntitySet {
            var type = EntityType(names: Names(wire: name + "Type"), properties: properties, key: key)
            type.navigationProperties = links
            return EntitySet(names: Names(wire: name, database: name), type: type)
        }
        let model = EntityModel(
            namespace: "Test",
            sets: [
                set("Notes", [id, name]), set("Parts", [id, name], [link(to: "Notes")]), set("Codes", [code, name]),
                set("Shared", [tenant, id, name], key: [0, 1]),
                set("Owned", [owner, id, name], key: [0, 1]),
            ]
        )
        store = try LocalStore.create(path: folder.file("made.tideline"), model: model)
    }

    /// Version and variant of a GUID.
    ///
    /// Source: RFC 9562, sections 4.1 and 4.2.
    private func marks(_ key: Key) -> [UInt64]? {
        guard case .guid(let id)? = key.values.first else { return nil }
        return [id.high >> 12 & 0xf, id.low >> 62]
    }

    private func failure(_ values: [String: Value], into set: String) -> LocalStoreError.Code? {
        do {
            _ = try store.write { try $0.insert(values, into: set) }
            return nil
        } catch { return (error as? LocalStoreError)?.code }
    }

    @Test func `a GUID that the database would make is made on the device, each row one of its own`() throws {
        let keys = try store.write { tx in
            [
                try tx.insert(["Name": .string("a")], into: "Notes"),
                try tx.insert(["Id": .null, "Name": .string("b")], into: "Notes"),
            ]
        }
        #expect(keys.map(marks) == [[4, 2], [4, 2]])
        #expect(keys[0] != keys[1])
        let rows = try Fixture.rows(store, "Notes")
        #expect(Set(rows.compactMap { $0["Id"] }) == Set(keys.map { $0.values[0] }))
        let changes = try store.pendingTransactions()[0].changes
        #expect(changes.map(\.hasTemporaryKey) == [false, false])
        #expect(changes.map { $0.change.key } == keys)
    }

    @Test func `a GUID that is given is taken`() throws {
        let id = Value.guid(GUID(high: 1, low: 2))
        let key = try store.write { try $0.insert(["Id": id, "Name": .string("a")], into: "Notes") }
        #expect(key == Key([id]))
    }

    @Test func `a new object of a context has its GUID at once, and another one where it is given`() throws {
        let context = EditingContext(store)
        let made = try context.insert(["Name": .string("a")], into: "Notes")
        let id = Value.guid(GUID(high: 1, low: 2))
        try context.insert(["Id": id], into: "Notes")
        let value = try made["Id"]
        #expect(marks(Key([value])) == [4, 2])
        try context.save()
        #expect(Set(try Fixture.rows(store, "Notes").compactMap { $0["Id"] }) == [value, id])
    }

    @Test func `of two parts with a default none is made, for one may be a tenant's`() throws {
        let (tenant, id) = (Value.guid(GUID(high: 3, low: 4)), Value.guid(GUID(high: 1, low: 2)))
        #expect(failure(["Name": .string("a")], into: "Shared") == .invalidKey)
        #expect(failure(["Tenant": tenant], into: "Shared") == .invalidKey)
        #expect(failure(["Id": id], into: "Shared") == .invalidKey)
        let key = try store.write { try $0.insert(["Tenant": tenant, "Id": id], into: "Shared") }
        #expect(key == Key([tenant, id]))
        let context = EditingContext(store)
        let made = try context.insert(["Name": .string("a")], into: "Shared")
        #expect(try made["Tenant"] == .null)
        #expect(try made["Id"] == .null)
        let error = #expect(throws: LocalStoreError.self) { try context.save() }
        #expect(error?.code == .invalidKey)
        #expect(try Fixture.rows(store, "Shared").map { $0["Tenant"] } == [tenant])
    }

    @Test func `the one part with a default is made beside those that are given`() throws {
        let key = try store.write { try $0.insert(["Owner": .integer(7)], into: "Owned") }
        #expect(key.values.first == .integer(7))
        #expect(marks(Key(Array(key.values.dropFirst()))) == [4, 2])
        #expect(failure(["Name": .string("a")], into: "Owned") == .invalidKey)
    }

    @Test func `a key that refers to another row, or is no GUID, must be given`() throws {
        #expect(failure(["Name": .string("a")], into: "Parts") == .invalidKey)
        #expect(failure(["Name": .string("a")], into: "Codes") == .invalidKey)
        #expect(failure(["Code": .null], into: "Codes") == .invalidKey)
        #expect(try Fixture.rows(store, "Codes").isEmpty)
        #expect(failure(["Code": .string("c")], into: "Codes") == nil)
        #expect(try Fixture.rows(store, "Codes").map { $0["Code"] } == [.string("c")])
    }
}

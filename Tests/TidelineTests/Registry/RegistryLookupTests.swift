// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Tideline
import TidelineTestSupport

/// Types by name, and instances without knowing their type.
struct RegistryLookupTests {
    private let registry: EntityRegistry

    init() throws {
        registry = try EntityRegistry(Client.self, Order.self, Dep.self)
    }

    private func error(_ body: () throws -> Void) -> LocalStoreError? {
        do { try body() } catch { return error as? LocalStoreError }
        return nil
    }

    @Test(.covers("SB-F053")) func `types are found by set, type and class, and enumerated with their fields`() throws {
        #expect(try registry.type(named: "Deps") == Dep.self)
        #expect(try registry.type(named: "Department") == Dep.self)
        #expect(try registry.type(named: "Dep") == Dep.self)
        #expect(try registry.entitySet(of: Dep.self).names.wire == "Deps")
        #expect(registry.types.map { "\($0)" } == ["Client", "Order", "Dep"])
        #expect(
            registry.entitySets.map { $0.type.properties.map(\.names.wire) }.last == ["DepId", "DepName", "DepPhone"]
        )
        let unknown = error { _ = try registry.type(named: "Parts") }
        #expect(unknown?.code == .unknownSet)
        #expect(unknown?.message == "No entity set or type named 'Parts' is registered.")
        let stranger = error { _ = try registry.entitySet(of: Part.self) }
        #expect(stranger?.message == "The type Part is not registered.")
    }

    @Test(.covers("SB-F054")) func `instances are made from metadata, names and values`() throws {
        let dep = try #require(
            try registry.make("Deps", from: ["DepName": .string("IT"), "depPhone": .string("11")]) as? Dep
        )
        #expect(dep == Dep(name: "IT", phone: "11"))
        #expect(dep.id == 0)
        let order = try #require(
            try registry.make(
                "Order",
                from: [
                    "OrderDate": .dateTimeOffset(ShopStore.day), "OrderStatus": .integer(0), "Total": .integer(5),
                    "ClientId": .guid(ShopStore.ann),
                ]
            ) as? Order
        )
        #expect(order == Order(orderDate: ShopStore.day, total: 5, clientId: ShopStore.ann))
        let names: [[String: Value]] = [["DepName": .string("A")], ["DepName": .string("B"), "Colour": .null]]
        let deps = try registry.make("Deps", contentsOf: names, unknown: .ignored)
        #expect(deps.compactMap { ($0 as? Dep)?.name } == ["A", "B"])
    }

    @Test func `what does not fit a type is told`() throws {
        #expect(error { _ = try registry.make("Deps", from: ["Colour": .null]) }?.code == .unknownProperty)
        #expect(error { _ = try registry.make("Deps", from: ["DepName": .integer(1)]) }?.code == .invalidValue)
        #expect(error { _ = try registry.make("Deps", from: ["DepId": .integer(1)]) }?.code == .invalidKey)
        let missing = error { _ = try registry.make("Deps") }
        #expect(missing?.code == .nullValue)
        #expect(missing?.message == "'DepName' of 'Deps' is null, which Dep cannot hold.")
    }

    @Test(.covers("DA-45")) func `rows of a set come as instances of the registered type`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tideline-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try LocalStore.create(
            path: folder.appending(path: "deps.tideline").path,
            model: EntityModel(Dep.self, Client.self)
        )
        try store.write { tx in
            try tx.insert(Dep(name: "Sales", phone: "555-1"))
            try tx.insert(Dep(name: "IT", phone: "555-2"))
            try tx.insert(Client(clientId: ShopStore.ann, clientName: "Ann"))
        }
        let deps = try store.entities(in: "Deps", of: registry)
        #expect(deps.count == 2)
        #expect(deps.allSatisfy { $0 is Dep })
        #expect(Set(deps.compactMap { ($0 as? Dep)?.phone }) == ["555-1", "555-2"])
        #expect(Set(deps.compactMap { ($0 as? Dep)?.name }) == ["Sales", "IT"])
        // By a cast of one row too.
        let row = try #require(try store.rows(in: "Deps").first { try $0.string("DepName") == "IT" })
        #expect(try Dep(row).phone == "555-2")
        #expect(try row.string("DepPhone") == "555-2")
        #expect(error { _ = try Client(row) }?.code == .unknownProperty)
        var unnamed = try store.newRow(in: "Deps")
        #expect(error { _ = try Dep(unnamed) }?.code == .nullValue)
        try unnamed.set("DepName", to: "HR")
        #expect(try Dep(unnamed) == Dep(name: "HR"))
        try store.close()
    }
}

@Entity("Deps", type: "Department")
private struct Dep: Equatable {
    @Key(generated: true) @Name("DepId") var id: Int32
    @Name("DepName") var name: String
    @Name("DepPhone") var phone: String?
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// What would be sent, by name.
struct DeltaChangeTests {
    let folder: TestFolder
    let store: LocalStore
    let id = Value.guid(GUID(high: 1, low: 2))

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
    }

    @Test(.covers("DA-56"))
    func `an insert has no old values, a delete no new ones, an update both of what changed`() throws {
        try store.write {
            try $0.insert(["ClientId": id, "Name": .string("Ann"), "Note": .string("n")], into: "Clients")
        }
        try Fixture.send(store)
        try store.write { try $0.update(Key([id]), ["Name": .string("Eve"), "Note": .string("m")], in: "Clients") }
        try Fixture.send(store)
        try store.write { try $0.delete(Key([id]), in: "Clients") }
        let delta = try store.pendingChanges()
        try #require(delta.count == 3)
        #expect(delta.map(\.operation) == [.insert, .update, .delete] && delta.map(\.transaction) == [1, 2, 3])
        #expect(delta.allSatisfy { $0.set == "Clients" && $0.key == Key([id]) })
        #expect(delta[0].old == [:])
        #expect(delta[0].new == ["ClientId": id, "Name": .string("Ann"), "Phone": .null])
        #expect(delta[1].old == ["Name": .string("Ann")] && delta[1].new == ["Name": .string("Eve")])
        #expect(delta[2].old == ["ClientId": id, "Name": .string("Eve"), "Phone": .null] && delta[2].new == [:])
    }

    @Test(.covers("DA-57"))
    func `an insert that is deleted again is nothing, two updates are one from first to last`() throws {
        try store.write { try $0.insert(["ClientId": id, "Name": .string("Ann")], into: "Clients") }
        try Fixture.send(store)
        try store.write { tx in
            let order = try tx.insert([:], into: "Orders")
            try tx.delete(order, in: "Orders")
            try tx.update(Key([id]), ["Name": .string("Bea")], in: "Clients")
            try tx.update(Key([id]), ["Name": .string("Cid"), "Phone": .string("1")], in: "Clients")
        }
        let delta = try store.pendingChanges().filter { $0.transaction == 2 }
        try #require(delta.count == 1)
        #expect(delta[0].operation == .update)
        #expect(delta[0].old == ["Name": .string("Ann"), "Phone": .null])
        #expect(delta[0].new == ["Name": .string("Cid"), "Phone": .string("1")])
    }

    @Test(.covers("DA-56", "DA-57"))
    func `a context tells what its save would send, folded as it stands`() throws {
        try store.write { try $0.insert(["ClientId": id, "Name": .string("Ann")], into: "Clients") }
        let context = EditingContext(store)
        let client = try #require(try context.object(Key([id]), in: "Clients"))
        try client.set("Name", .string("Bea"))
        try client.set("Name", .string("Cid"))
        let order = try context.insert(["Status": .integer(2)], into: "Orders")
        try context.delete(context.insert(into: "Orders"))
        try order.relate("ClientRef", to: client)
        let delta = context.pendingChanges()
        try #require(delta.count == 2)
        #expect(delta[0].operation == .update && delta[0].transaction == nil)
        #expect(delta[0].old == ["Name": .string("Ann")] && delta[0].new == ["Name": .string("Cid")])
        #expect(delta[1].operation == .insert && delta[1].old == [:])
        #expect(delta[1].new == ["OrderDate": .null, "Status": .integer(2), "Client": id])
        try context.save()
        #expect(context.pendingChanges() == [])
        let saved = try store.pendingChanges()
        #expect(saved.contains { $0.operation == .insert && $0.set == "Orders" && $0.new == delta[1].new })
    }

    @Test(.covers("DA-55"), arguments: [true, false])
    func `what a cascade deletes is logged or not by an option`(recordsCascades: Bool) throws {
        let folder = try TestFolder()
        let store = try Fixture.store(folder, settings: StoreSettings(recordsCascades: recordsCascades))
        let order = try store.write { tx in
            let order = try tx.insert([:], into: "Orders")
            for _ in 0..<2 { try tx.insert(["Order": order.values[0]], into: "Details") }
            return order
        }
        try Fixture.send(store)
        let listener = CommitListener(store, Set(store.layout.sets.indices))
        try store.write { try $0.delete(order, in: "Orders") }
        #expect(try Fixture.rows(store, "Orders").isEmpty && Fixture.rows(store, "Details").isEmpty)
        #expect(store.broadcaster.take(listener.id).sets.keys.sorted() == [1, 2])
        let logged = try store.pendingChanges().filter { $0.transaction == 2 }.map(\.set).sorted()
        #expect(logged == (recordsCascades ? ["Details", "Details", "Orders"] : ["Orders"]))
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline
import TidelineTestSupport

/// Typed objects of a context, on a real store file.
struct ManagedTests {
    private let shop: ShopStore
    private let context: EditingContext
    private var store: LocalStore { shop.store }

    init() throws {
        shop = try ShopStore()
        context = EditingContext(shop.store)
    }

    private func order(_ total: EdmDecimal) throws -> Managed<Order> {
        try #require(try context.first(Order.where { $0.total == total }))
    }

    @Test(.covers("MD-I49"))
    func `properties are read and set as those of the struct, and only what changed is marked`() throws {
        let order = try order(100)
        #expect(order.total == 100 && order.orderStatus == .sent && order.remark == "soon" && !order.isExpanded)
        order.remark = "soon"
        #expect(!order.row.hasChanges)
        order.remark = nil
        order.total = 99.50
        #expect(order.row.modifiedProperties == ["Total", "Remark"])
        #expect(order.total == 99.50 && order.remark == nil)
        #expect(try order.value.total == 99.50)
        #expect(try store.fetch(Order.self, key: order.id)?.total == 100)
        try order.save()
        #expect(try store.fetch(Order.self, key: order.id)?.total == 99.50)
    }

    @Test func `a new object is typed before it is saved, and keeps its identity`() throws {
        let ann = try #require(try context.object(Client.self, key: ShopStore.ann))
        let order = try context.insert(Order(orderDate: ShopStore.day, total: 1, clientId: ShopStore.bob))
        #expect(order.row.state == .added && order.id < 0)
        try order.relate(\.client, to: ann)
        #expect(order.clientId == ShopStore.ann)
        #expect(try context.count(Order.where { $0.client.clientName == "Ann" }) == 2)
        #expect(try store.count(Order.where { $0.client.clientName == "Ann" }) == 1)
        try context.save()
        #expect(order.id < 0 && order.row.state == .unchanged)
        #expect(try context.object(Order.self, key: order.id) == order)
        #expect(try store.count(Order.where { $0.client.clientName == "Ann" }) == 2)
    }

    @Test(.covers("MD-I44"))
    func `both ends of a relationship say the same`() throws {
        let (ann, bob) = (
            try #require(try context.object(Client.self, key: ShopStore.ann)),
            try #require(try context.object(Client.self, key: ShopStore.bob))
        )
        let order = try order(12.50)
        let (anns, bobs) = (
            ann.collection(of: Order.self, by: \.client), bob.collection(of: Order.self, by: \.client)
        )
        #expect(try anns.all() == [order])
        try bobs.add(order)
        #expect(try order.related(\.client, Client.self) == bob)
        #expect(try anns.all() == [] && bobs.all().count == 3)
        try anns.remove(order)
        #expect(try bobs.all().contains(order))
        order.clientId = ShopStore.ann
        #expect(try anns.all() == [order] && order.related(\.client) == ann)
        let part = try context.insert(Part(code: "a", label: "A"))
        let whole = try context.insert(Part(code: "w", label: "W"))
        try whole.collection(of: Part.self, by: \.whole).add(part)
        #expect(part.wholeCode == "w")
        try whole.collection(of: Part.self, by: \.whole).remove(part)
        #expect(part.wholeCode == nil)
    }

    @Test(.covers("MD-I45", "MD-I66"))
    func `a delete cascades, and undo brings all of it back`() throws {
        let bob = try #require(try context.object(Client.self, key: ShopStore.bob))
        let orders = try bob.collection(of: Order.self, by: \.client).all()
        try bob.delete()
        #expect(orders.allSatisfy { $0.row.isDeleted })
        #expect(try context.fetch(Order.all).map(\.total) == [12.50])
        context.undo()
        #expect(try context.fetch(Order.all.sorted { $0.total }).map(\.total) == [12.50, 100, 250])
        context.redo()
        try context.save()
        #expect(try store.fetch(Order.all).map(\.total) == [12.50])
    }

    @Test func `a required value that is missing reads as zero, and the save refuses it`() throws {
        let part = try #require(
            context.managed(try context.insert(["Code": .string("x")], into: "Parts"), as: Part.self)
        )
        #expect(part.label == "" && part.code == "x" && part.weight == nil)
        let error = #expect(throws: LocalStoreError.self) { try context.save() }
        #expect(error?.code == .nullValue && error?.properties == ["Label"])
        part.label = "X"
        try context.save()
        #expect(try store.fetch(Part.self, key: "x")?.label == "X")
    }

    @Test func `a struct may have a part of the properties, in another order`() throws {
        let all = try context.fetch(ClientName.all.sorted { $0.clientName })
        #expect(all.map(\.clientName) == ["Ann", "Bob"])
        all[1].clientName = "Rob"
        let whole = try #require(try context.object(Client.self, key: ShopStore.bob))
        #expect(whole.row === all[1].row && whole.clientName == "Rob" && whole.contactPhone == "555")
    }
}

@Entity("Clients")
private struct ClientName {
    @MaxLength(80) var clientName: String
    @Key var clientId: GUID
}

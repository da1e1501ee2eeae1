// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline

/// Typed entities on a real store file.
struct StoreTests {
    private let shop: ShopStore
    private var store: LocalStore { shop.store }

    init() throws {
        shop = try ShopStore()
    }

    @Test func `what is inserted is fetched again, every property of it`() throws {
        let clients = try store.fetch(Client.all.sorted { $0.clientName })
        #expect(
            clients == [
                Client(clientId: ShopStore.ann, clientName: "Ann"),
                Client(clientId: ShopStore.bob, clientName: "Bob", contactPhone: "555"),
            ]
        )
        let order = try #require(try store.first(Order.where { $0.orderStatus == .sent }))
        #expect(order.orderDate == ShopStore.day)
        #expect(order.total == 100)
        #expect(order.remark == "soon")
        #expect(order.clientId == ShopStore.bob)
        #expect(order.isExpanded == false)
        #expect(order.id < 0)
    }

    @Test func `a predicate, an order and a limit choose the rows`() throws {
        let large = try store.fetch(Order.where { $0.total > 50 }.sorted(descending: true) { $0.total })
        #expect(large.map(\.total) == [250, 100])
        let smallest = try store.fetch(Order.all.sorted { $0.total }.limit(1))
        #expect(smallest.map(\.total) == [12.50])
        let second = try store.fetch(Order.all.sorted { $0.total }.offset(1).limit(1))
        #expect(second.map(\.total) == [100])
        let count = try store.count(Order.where { $0.remark == nil })
        #expect(count == 2)
    }

    @Test func `a path over a reference chooses the rows`() throws {
        let orders = try store.fetch(Order.where { $0.client.clientName == "Ann" })
        #expect(orders.map(\.total) == [12.50])
    }

    @Test func `an entity is found by its key`() throws {
        #expect(try store.fetch(Client.self, key: ShopStore.bob)?.clientName == "Bob")
        #expect(try store.fetch(Client.self, key: GUID(high: 9, low: 9)) == nil)
    }

    @Test func `an insert by reference brings the temporary key`() throws {
        var order = Order(orderDate: ShopStore.day, total: 1, clientId: ShopStore.ann)
        try store.write { tx in try tx.insert(&order) }
        #expect(order.id < 0)
        #expect(try store.fetch(Order.self, key: order.id) == order)
    }

    @Test func `an update stores what changed and a delete removes`() throws {
        var client = try #require(try store.fetch(Client.self, key: ShopStore.ann))
        client.contactPhone = "777"
        let isUpdated = try store.write { tx in try tx.update(client) }
        #expect(isUpdated)
        #expect(try store.fetch(Client.self, key: ShopStore.ann)?.contactPhone == "777")
        let isDeleted = try store.write { tx in try tx.delete(client) }
        #expect(isDeleted)
        #expect(try store.fetch(Client.all).map(\.clientName) == ["Bob"])
        #expect(try store.count(Order.all) == 2)  // Ann's order went with her: the reference cascades.
    }

    @Test func `what a closure threw in leaves nothing`() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try store.write { tx in
                try tx.insert(Client(clientId: GUID(high: 3, low: 3), clientName: "Cid"))
                throw Stop()
            }
        }
        #expect(try store.count(Client.all) == 2)
    }

    @Test func `an entity that the store does not have is refused by name`() throws {
        let error = #expect(throws: LocalStoreError.self) { try store.fetch(Stranger.all) }
        #expect(error?.code == .unknownSet)
        #expect(error?.set == "Strangers")
    }

    @Test func `a struct may have a part of the properties, in another order`() throws {
        var totals = try store.fetch(OrderTotal.all.sorted { $0.total })
        #expect(totals.map(\.total) == [12.50, 100, 250])
        totals[0].total = 13
        let isUpdated = try store.write { tx in try tx.update(totals[0]) }
        #expect(isUpdated)
        #expect(try store.fetch(OrderTotal.self, key: totals[0].id)?.total == 13)
        #expect(try store.fetch(Order.self, key: totals[0].id)?.clientId == ShopStore.ann)
        let key = try store.write { tx in try tx.insert(PartName(label: "L", code: "c")) }
        #expect(key == Key([.string("c")]))
        #expect(try store.fetch(Part.all) == [Part(code: "c", label: "L")])
    }

    @Test func `live results come at once and after each commit`() async throws {
        let query = Client.where { $0.clientName.hasPrefix("A") }.sorted { $0.clientName }
        var states = store.live(query).makeAsyncIterator()
        #expect(try await states.next()?.map(\.clientName) == ["Ann"])
        try await store.write { tx in
            _ = try tx.insert(Client(clientId: GUID(high: 3, low: 3), clientName: "Cid"))
            _ = try tx.insert(Client(clientId: GUID(high: 4, low: 4), clientName: "Abe"))
        }
        #expect(try await states.next()?.map(\.clientName) == ["Abe", "Ann"])
    }
}

@Entity("Strangers")
private struct Stranger {
    @Key var id: Int32
}

@Entity("Orders")
private struct OrderTotal {
    @Precision(12, scale: 2) var total: EdmDecimal
    @Key(generated: true) @Name("OrderId") var id: Int32
}

@Entity("Parts")
private struct PartName {
    var label: String
    @Key var code: String
}

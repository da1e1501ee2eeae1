// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline

struct ValueQueryTests {
    private let shop: ShopStore
    private var store: LocalStore { shop.store }

    init() throws {
        shop = try ShopStore()
    }

    @Test func `values are those of the entities, over references too, in the query's order`() throws {
        let rows = try store.values(of: Order.all.sorted { $0.total }) { ($0.client.clientName, $0.total, $0.remark) }
        #expect(rows.map(\.0) == ["Ann", "Bob", "Bob"])
        #expect(rows.map(\.1) == [12.50, 100, 250])
        #expect(rows.map(\.2) == [nil, "soon", nil])
        let totals = try store.fetch(Order.where { $0.total > 50 }.sorted { $0.total }.select { $0.total * 2 })
        #expect(totals == [200, 500])
    }

    @Test func `values of every type come as they went in`() throws {
        let row = try #require(
            try store.values(of: Order.where { $0.total == 100 }) {
                ($0.orderDate, $0.orderStatus, $0.clientId, $0.isExpanded, $0.orderDate.date, $0.total > 50)
            }.first
        )
        #expect(row.0 == ShopStore.day)
        #expect(row.1 == .sent)
        #expect(row.2 == ShopStore.bob)
        #expect(row.3 == false)
        #expect(row.4 == ShopStore.day.date)
        #expect(row.5 == true)
    }

    @Test func `distinct gives each combination once, in the order of the values`() throws {
        let names = try store.fetch(Order.all.select { $0.client.clientName }.distinct())
        #expect(names == ["Ann", "Bob"])
        let pairs = try store.fetch(Order.all.select { ($0.client.clientName, $0.remark) }.distinct())
        #expect(pairs.map(\.0) == ["Ann", "Bob", "Bob"])
        #expect(pairs.map(\.1) == [nil, nil, "soon"])
        let first = Order.all.sorted(descending: true) { $0.total }.limit(1)
        let greatest = try store.fetch(first.select { $0.total }.distinct())
        #expect(greatest == [250])
        let again = try store.fetch(first.select { $0.total }.distinct().distinct())
        #expect(again == greatest)
    }

    @Test func `live values hear of the entities that they come from`() async throws {
        let query = Order.where { $0.total == 100 }.select { $0.client.clientName }
        var states = store.live(query).makeAsyncIterator()
        #expect(try await states.next() == ["Bob"])
        try await store.write { tx in try tx.update(Client(clientId: ShopStore.bob, clientName: "Rob")) }
        #expect(try await states.next() == ["Rob"])
    }
}

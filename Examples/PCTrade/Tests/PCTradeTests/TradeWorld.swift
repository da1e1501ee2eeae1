// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import PCTrade
import Tideline

/// A store with two clients; Ann has two orders, one of them with two details.
struct TradeWorld {
    static let ann = Client(clientId: GUID(high: 1, low: 1), clientName: "Ann", contactPhone: "555")
    static let bob = Client(clientId: GUID(high: 2, low: 2), clientName: "Bob")
    /// 2025-06-15T15:06:40Z, a Sunday.
    static let day = DateTimeOffset(seconds: 1_750_000_000)

    let store: LocalStore
    /// Ann's order with the details.
    let order: Order

    init() throws {
        store = try LocalStore.temporary(model: PCTradeStore.model)
        order = try store.write { tx in
            try tx.insert(contentsOf: [Self.ann, Self.bob])
            try tx.insert(Product(productId: 1, name: "Screw", groupId: 5, price: 0.10))
            var order = Order(orderDate: Self.day, clientId: Self.ann.clientId)
            try tx.insert(&order)
            for (quantity, total) in [(1, 0.10), (2, 0.20)] as [(Int32, EdmDecimal)] {
                try tx.insert(
                    OrderDetail(orderId: order.orderId, productId: 1, quantity: quantity, price: 0.10, total: total)
                )
            }
            try tx.insert(
                Order(
                    orderDate: DateTimeOffset(seconds: Self.day.seconds + 86_400),
                    orderStatus: 1,
                    clientId: Self.ann.clientId
                )
            )
            return order
        }
    }
}

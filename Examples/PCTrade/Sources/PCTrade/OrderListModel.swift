// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
public import Tideline

/// The orders of a client: live, by date.
@MainActor
@Observable
public final class OrderListModel {
    /// A line of the list.
    public struct Line: Hashable, Sendable {
        public let date: CalendarDate
        /// What all details cost; 0 without any.
        public let sum: EdmDecimal
        public let status: String
    }

    /// What stands over the list: the client's name.
    public let title: String
    /// The orders as the store has them.
    public let orders: ObservedList<Order>

    /// The orders of a client.
    public init(_ store: LocalStore, client: Client) {
        title = client.clientName
        orders = ObservedList(store, Order.where { $0.customer == client }.sorted { $0.orderDate })
    }

    /// The lines, in their order.
    public var lines: [Line] {
        orders.sections.flatMap { $0.keys.compactMap { orders[$0] } }.map { order in
            Line(
                date: order.orderDate.date,
                sum: order.orderSum ?? 0,
                status: OrderStatus.name(of: order.orderStatus)
            )
        }
    }
}

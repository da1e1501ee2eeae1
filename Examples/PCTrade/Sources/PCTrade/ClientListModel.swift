// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
public import Tideline

/// The list "Our Clients": live, by name, with the number of orders.
@MainActor
@Observable
public final class ClientListModel {
    /// A line of the list.
    public struct Line: Hashable, Sendable {
        public let title: String
        public let subtitle: String
        public let orders: OrdersMark
        /// Whether there is anything to go to.
        public let hasDisclosure: Bool
    }

    /// What stands over the list.
    public let title = "Our Clients"
    /// The clients as the store has them.
    public let clients: ObservedList<Client>

    /// The clients of a store.
    public init(_ store: LocalStore) {
        clients = ObservedList(store, Client.all.sorted(.caseInsensitive) { $0.clientName })
    }

    /// The lines, in their order.
    public var lines: [Line] {
        clients.sections.flatMap { $0.keys.compactMap { clients[$0] } }.map { client in
            let count = client.ordersCnt ?? 0
            return Line(
                title: client.clientName,
                subtitle: client.contactPhone ?? "",
                orders: OrdersMark(count: count),
                hasDisclosure: count > 0
            )
        }
    }
}

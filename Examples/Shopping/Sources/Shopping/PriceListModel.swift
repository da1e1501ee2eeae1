// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
public import Tideline

/// The screen that lists by price: live, the cheapest first.
@MainActor
@Observable
public final class PriceListModel {
    /// A line of the list.
    public struct Line: Hashable, Sendable {
        public let name: String
        public let group: String
        /// With its currency.
        public let price: String
        public let isBought: Bool
    }

    /// The items as the store has them.
    public let items: ObservedList<ShoppingItem>

    private let list: ShoppingList

    /// The items of a list.
    public init(_ list: ShoppingList) {
        self.list = list
        items = ObservedList(list.store, ShoppingItem.all.sorted { $0.price }.sorted(.caseInsensitive) { $0.name })
    }

    /// The lines, in their order.
    public var lines: [Line] {
        items.sections.flatMap { $0.keys.compactMap { items[$0] } }.map { item in
            Line(
                name: item.name,
                group: item.group.title,
                price: Price.shown(item.price),
                isBought: item.isBought
            )
        }
    }

    /// Puts the item of a row into the basket, or takes it out.
    public func tap(row: Int) throws {
        guard let item = items[0, row] else { return }
        try list.setBought(item, !item.isBought)
    }

    /// Takes the item of a row off the list.
    public func delete(row: Int) throws {
        guard let item = items[0, row] else { return }
        try list.delete(item)
    }
}

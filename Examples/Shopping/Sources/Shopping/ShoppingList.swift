// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Tideline

/// A shopping list on this device: what to buy, at what price, and where it is sold.
///
/// Everything works with no connection. A change is saved when its method returns.
public struct ShoppingList: Sendable {
    /// What is stored.
    public static let model = EntityModel(ShoppingItem.self, Shop.self, Offer.self, namespace: "Shopping")

    /// What a person reads when something is wrong.
    public static let messages = ValidationMessages(texts: [
        "validation.required.Items.Price": "The price is empty. Write 0 for what is free.",
        "validation.type.Items.Price": "The price is no number. Write it like 3.99 or $3.99.",
        "validation.minimum.Items.Price": "The price is less than 0.",
        "validation.pattern.Items.Name": "The name is empty.",
    ])

    /// The local data.
    public let store: LocalStore

    /// A list in a store of ``model``.
    public init(store: LocalStore) { self.store = store }

    /// Opens the file of a list; at the first time it is made, with nine things to begin with.
    public init(path: String) throws {
        let isNew = !FileManager.default.fileExists(atPath: path)
        store = try LocalStore.open(path: path, model: Self.model)
        if isNew { try addSeed(at: .now) }
    }

    /// Puts the nine things on the list that a new one begins with; those that are there stay as they are.
    public func addSeed(at moment: DateTimeOffset) throws {
        try store.write { tx in
            for item in Self.seed(at: moment) where try tx.fetch(ShoppingItem.self, key: item.itemId) == nil {
                try tx.insert(item)
            }
        }
    }

    /// Puts an item on the list.
    ///
    /// - Throws: ``LocalStoreError`` with what is wrong with it.
    @discardableResult
    public func add(
        _ name: String,
        price: EdmDecimal,
        group: ItemGroup = .groceries,
        at moment: DateTimeOffset
    ) throws -> ShoppingItem {
        let item = ShoppingItem(itemId: .random(), name: name, price: price, group: group, dateAdded: moment)
        try store.write { _ = try $0.insert(item) }
        return item
    }

    /// Says whether an item lies in the basket.
    public func setBought(_ item: ShoppingItem, _ isBought: Bool) throws {
        try store.write { tx in
            guard var current = try tx.fetch(ShoppingItem.self, key: item.itemId) else {
                throw ShoppingError.noSuchItem(item.name)
            }
            current.isBought = isBought
            try tx.update(current)
        }
    }

    /// Takes an item off the list, and with it the word of where it is sold.
    public func delete(_ item: ShoppingItem) throws { try store.write { _ = try $0.delete(item) } }

    /// Notes that an item is sold in a store, which is made at the first time; nothing when that is known.
    public func note(_ item: ShoppingItem, soldAt name: String) throws {
        try store.write { tx in
            var shop = Shop(storeId: .random(), name: name)
            if let known = try tx.fetch(Shop.where { $0.name == name }).first {
                shop = known
            } else {
                try tx.insert(shop)
            }
            guard try tx.fetch(Offer.self, key: item.itemId, shop.storeId) == nil else { return }
            try tx.insert(Offer(itemId: item.itemId, storeId: shop.storeId))
        }
    }

    /// The stores that sell an item, by name.
    public func shops(selling item: ShoppingItem) throws -> [Shop] {
        let id = item.itemId
        return try store.fetch(Shop.where { $0.offers.any { $0.itemId == id } }.sorted(.caseInsensitive) { $0.name })
    }

    private static func seed(at moment: DateTimeOffset) -> [ShoppingItem] {
        let things: [(String, EdmDecimal, ItemGroup)] = [
            ("Rye bread", 3.20, .groceries), ("Apples", 2.75, .groceries), ("Oat milk", 1.95, .groceries),
            ("Coffee beans", 8.40, .groceries), ("Soap", 1.10, .groceries), ("USB-C cable", 9.99, .tech),
            ("AA batteries", 6.50, .tech), ("Desk lamp", 24.90, .tech), ("Headphones", 59.00, .tech),
        ]
        // The keys are the same on every device, so that two lists that come in step have each thing once.
        return things.enumerated().map { place, thing in
            ShoppingItem(
                itemId: GUID(high: 0x5EED, low: UInt64(place + 1)),
                name: thing.0,
                price: thing.1,
                group: thing.2,
                dateAdded: moment
            )
        }
    }
}

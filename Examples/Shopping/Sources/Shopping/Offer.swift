// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// That an item is sold in a store.
@Entity("ItemsAtStores", type: "ItemAtStore")
public struct Offer: Hashable, Sendable {
    /// What is sold.
    @Key @Reference("Item", to: ShoppingItem.self) public var itemId: GUID
    /// Where.
    @Key @Reference("Store", to: Shop.self) public var storeId: GUID
}

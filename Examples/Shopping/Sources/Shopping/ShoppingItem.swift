// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// Something to buy.
@Entity("Items", type: "Item")
@HasMany("Offers", of: Offer.self, inverse: "Item", onDelete: .cascade)
public struct ShoppingItem: Hashable, Sendable {
    /// Made on the device, so that two devices never make the same.
    @Key public var itemId: GUID
    /// What it is called: something else than spaces.
    @MaxLength(80) @Pattern("[^ ]") public var name: String
    /// What it costs; 0 is allowed, for what is free.
    @Precision(9, scale: 2) @Range(0...) public var price: EdmDecimal
    /// What kind of thing it is.
    @Name("GroupId") public var group: ItemGroup = .groceries
    /// Whether it lies in the basket.
    public var isBought: Bool = false
    /// When it was put on the list.
    public var dateAdded: DateTimeOffset
}

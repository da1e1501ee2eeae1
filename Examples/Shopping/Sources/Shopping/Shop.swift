// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// A place where things are sold.
@Entity("Stores", type: "Store")
@HasMany("Offers", of: Offer.self, inverse: "Store", onDelete: .cascade)
public struct Shop: Hashable, Sendable {
    /// Made on the device.
    @Key public var storeId: GUID
    /// What stands over its door.
    @MaxLength(80) @Unique @Pattern("[^ ]") public var name: String
}

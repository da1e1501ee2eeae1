// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// Somebody who orders.
@Entity("Clients")
@HasMany("Orders", of: Order.self, inverse: "Customer")
public struct Client: Hashable, Sendable {
    /// Made where the client is.
    @Key public var clientId: GUID
    /// What the list shows and is sorted by.
    @MaxLength(100) public var clientName: String
    /// Where to call.
    @MaxLength(30) public var contactPhone: String?
    /// How many orders refer to the client.
    @Calculated("Orders/$count") public var ordersCnt: Int64?
}

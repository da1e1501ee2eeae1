// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// An order of a client.
@Entity("Orders")
@HasMany("Details", of: OrderDetail.self, inverse: "OrderRow", onDelete: .cascade)
public struct Order: Hashable, Sendable {
    /// Made by the server; negative until the first sync after the insert.
    @Key(generated: true) public var orderId: Int32
    /// When it was given.
    public var orderDate: DateTimeOffset
    /// What has become of it, see ``OrderStatus``; files may have numbers of later releases.
    public var orderStatus: Int32 = 0
    /// Whose it is.
    @Name("Client") @Reference("Customer", to: Client.self) public var clientId: GUID
    /// What its details cost together.
    @Calculated("Details/aggregate(Total with sum)") public var orderSum: EdmDecimal?
    /// The name of the client.
    @Calculated("Customer/ClientName") public var customerName: String?
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// A line of an order.
@Entity("OrderDetails")
public struct OrderDetail: Hashable, Sendable {
    /// Made by the server; negative until the first sync after the insert.
    @Key(generated: true) public var detailId: Int32
    /// The order that it belongs to.
    @Name("Order") @Reference("OrderRow", to: Order.self) public var orderId: Int32
    /// What is ordered.
    @Name("Product") @Reference("ProductRow", to: Product.self) public var productId: Int32
    /// How many of it.
    public var quantity: Int32
    /// What one costs.
    @Precision(19, scale: 4) public var price: EdmDecimal
    /// What all of them cost.
    @Precision(19, scale: 4) public var total: EdmDecimal
}

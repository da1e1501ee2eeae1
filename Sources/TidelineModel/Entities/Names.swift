// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The three names of one thing: in Swift, on the wire, in the database.
public struct Names: Hashable, Sendable {
    /// In generated and hand-written Swift: `orderDate`, `Order`.
    public var code: String
    /// In `$metadata`, URLs and JSON: `OrderDate`, `Orders`.
    public var wire: String
    /// The column or table: `order_date`, `orders`.
    public var database: String

    public init(wire: String, code: String? = nil, database: String? = nil) {
        self.wire = wire
        self.code = code ?? wire
        self.database = database ?? wire
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// Something that is sold.
@Entity("Products")
public struct Product: Hashable, Sendable {
    /// The number in the catalogue.
    @Key public var productId: Int32
    /// What it is called.
    @MaxLength(100) public var name: String
    /// What kind of thing it is.
    public var groupId: Int32
    /// What one costs.
    @Precision(19, scale: 4) public var price: EdmDecimal
}

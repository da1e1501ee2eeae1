// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How the list of clients shows the number of a client's orders.
public struct OrdersMark: Hashable, Sendable {
    /// The colour of the text.
    public enum Colour: String, Sendable {
        case blue, orange, magenta, red
    }

    public let colour: Colour
    /// The number of the picture, 1 to 4.
    public let icon: Int
    /// `No orders`, `1 order`, `2 orders`.
    public let text: String

    /// The mark for a number of orders: three and more look alike.
    public init(count: Int64) {
        switch count {
        case ...0: (colour, icon, text) = (.blue, 1, "No orders")
        case 1: (colour, icon, text) = (.orange, 2, "1 order")
        case 2: (colour, icon, text) = (.magenta, 3, "2 orders")
        default: (colour, icon, text) = (.red, 4, "\(count) orders")
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// That values of a property are none of its type, and are told as null: for the log, as nothing failed.
public struct UnreadableValues: Error, Hashable, Sendable {
    /// The set and the property, such as `Orders.Quantity`.
    public let property: String

    public init(property: String) { self.property = property }
}

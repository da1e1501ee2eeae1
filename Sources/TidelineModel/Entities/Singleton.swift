// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A singleton: one entity with a name of its own.
///
/// Source: OData CSDL 4.01, section 13.3.
public struct Singleton: Hashable, Sendable {
    public var names: Names
    /// The wire name of the set whose row it is.
    public var set: String
    /// The key of the row, or `nil` where the table has one row at most.
    public var key: Key?
    /// Whether the row may be missing.
    public var isNullable: Bool
    public var description: String?

    public init(
        names: Names,
        set: String,
        key: Key? = nil,
        isNullable: Bool = false,
        description: String? = nil
    ) {
        self.names = names
        self.set = set
        self.key = key
        self.isNullable = isNullable
        self.description = description
    }
}

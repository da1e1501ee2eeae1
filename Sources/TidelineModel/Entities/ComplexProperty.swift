// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A complex property over a group of columns.
///
///     address_street, address_city   →   "Address": {"Street": …, "City": …}
///
/// The columns are properties of the entity type with the place of this in ``Property/container``; their wire names are
/// those of the complex type's properties, so they are unique within the group only.
public struct ComplexProperty: Hashable, Sendable {
    public var names: Names
    /// The wire name of the complex type.
    public var type: String
    /// Whether the value is null where all its columns are.
    public var isNullable: Bool
    /// The place in ``EntityType/complexProperties`` of the complex property that this is a part of.
    public var parent: Int?
    public var description: String?

    public init(
        names: Names,
        type: String,
        isNullable: Bool = true,
        parent: Int? = nil,
        description: String? = nil
    ) {
        self.names = names
        self.type = type
        self.isNullable = isNullable
        self.parent = parent
        self.description = description
    }
}

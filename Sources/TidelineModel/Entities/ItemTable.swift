// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The table that holds the items of a collection property, a row an item.
///
///     posts(id, …)  ←  post_tags(post_id, position, tag)      Post.Tags: ["new", "blue"]
///
/// The rows belong to the entity: a change of the property replaces them all. They are no entities of their own.
public struct ItemTable: Hashable, Sendable {
    /// The table, as the database names it.
    public var name: String
    /// The columns that hold the key of the entity, in the order of ``EntityType/key``.
    public var key: [String]
    /// The columns with the values: one, or of complex values one for each member, with the member's name on the wire.
    public var values: [Property]
    /// Whether each item is an object of the values, also where there is one.
    public var isComplex: Bool
    /// The column that numbers the items from 0; without one they stand in the order of their values.
    public var order: String?

    public init(
        name: String,
        key: [String],
        values: [Property],
        order: String? = nil,
        isComplex: Bool = false
    ) {
        self.name = name
        self.key = key
        self.values = values
        self.order = order
        self.isComplex = isComplex
    }
}

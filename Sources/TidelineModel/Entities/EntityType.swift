// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An entity type: what the rows of one entity set look like.
public struct EntityType: Hashable, Sendable {
    public var names: Names
    /// The structural properties, in the order in which they are written.
    public var properties: [Property]
    /// The places of the key properties in `properties`, in key order; never empty.
    public var key: [Int]
    /// Other sets of properties whose values together are unique, as places in `properties`.
    public var uniqueKeys: [[Int]]
    public var navigationProperties: [NavigationProperty]

    public init(
        names: Names,
        properties: [Property],
        key: [Int],
        uniqueKeys: [[Int]] = [],
        navigationProperties: [NavigationProperty] = []
    ) {
        self.names = names
        self.properties = properties
        self.key = key
        self.uniqueKeys = uniqueKeys
        self.navigationProperties = navigationProperties
    }

    /// The place of a property by its name on the wire, or `nil`.
    ///
    /// Linear: for planning, not for rows.
    public func propertyIndex(wire: String) -> Int? {
        properties.firstIndex { $0.names.wire == wire }
    }

    /// The place of a navigation property by its name on the wire, or `nil`.
    public func navigationIndex(wire: String) -> Int? {
        navigationProperties.firstIndex { $0.names.wire == wire }
    }

    /// Whether the database makes the key of a new entity.
    public var hasGeneratedKey: Bool {
        key.contains { properties[$0].generation == .onInsert }
    }
}

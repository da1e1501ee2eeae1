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
    /// The complex properties over groups of columns; a parent stands before its parts.
    public var complexProperties: [ComplexProperty] = []
    /// The types derived from this one in the same table; a base stands before what extends it.
    public var derivedTypes: [DerivedType] = []
    /// The place of the property whose value says the type of a row.
    public var discriminator: Int?
    /// What rows of the type itself have in the discriminator; `nil` where it is abstract or all other values are its own.
    public var discriminatorValue: Value?
    /// Whether every row is of a derived type.
    public var isAbstract = false
    /// The place of the stream property that is the content of a media entity.
    public var mediaProperty: Int?
    /// The place of the property whose value is the row's ETag: the database changes it with every change.
    public var version: Int?
    /// The places of the text properties that `$search` looks at; empty for none.
    public var searchProperties: [Int] = []
    /// Whether `$search` looks for whole words, which a full-text index finds, and not for parts of the texts.
    public var searchesWords = false
    /// The properties that are expressions over the others.
    public var calculatedProperties: [CalculatedProperty] = []
    /// What every entity has to meet beside the rules of its properties.
    public var rules: [EntityRule] = []
    /// What becomes of values that a device and the server both changed, for the properties that do not say it, and of
    /// deletions that meet changes; `nil`: the server wins, and changes win over deletions.
    public var conflictPolicy: ConflictPolicy?
    public var description: String?

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
        properties.indices.first { properties[$0].names.wire == wire }
    }

    /// The place of a property that is a part of a complex property, or of none, by its name on the wire, or `nil`.
    package func propertyIndex(wire: String, in container: Int?) -> Int? {
        // By place, because a search over the elements copies each of them.
        properties.indices.first { properties[$0].container == container && properties[$0].names.wire == wire }
    }

    /// The place of a navigation property by its name on the wire, or `nil`.
    public func navigationIndex(wire: String) -> Int? {
        navigationProperties.indices.first { navigationProperties[$0].names.wire == wire }
    }

    /// The place of a calculated property by its name on the wire, or `nil`.
    package func calculatedIndex(wire: String) -> Int? {
        calculatedProperties.firstIndex { $0.names.wire == wire }
    }

    /// The place of the JSON property with the dynamic properties of an open type, or `nil`.
    public var dynamicProperty: Int? {
        properties.indices.first { properties[$0].structure == .dynamic }
    }

    /// Whether a collection of it stands in a table of its own.
    @inlinable public var hasItems: Bool { properties.indices.contains { properties[$0].items != nil } }

    /// Whether the database makes the key of a new entity: it counts, and no value is taken in its place.
    @inlinable public var hasGeneratedKey: Bool { key.contains(where: isCounted) }

    /// Whether a property is an integer of the key that the database counts.
    ///
    /// A key of another type that has a default, a GUID say, may be given.
    @inlinable
    public func isCounted(_ place: Int) -> Bool {
        properties[place].generation == .onInsert && key.contains(place) && properties[place].type.integerRange != nil
    }

    /// Whether the service alone makes a value: what it computes, and a key that it counts.
    ///
    /// A default that it computes counts where a new entity has no value.
    package func isMade(_ place: Int) -> Bool {
        properties[place].generation == .always || isCounted(place)
    }

    /// Whether an entity that is given whole brings a value of the property: not of what the service alone makes, and where
    /// the service has a default, no null in its place: an entity that was made before it had one is still without.
    package func brings(_ value: Value, at place: Int) -> Bool {
        guard !isMade(place) else { return false }
        let property = properties[place]
        return property.generation == .none || !property.isReadOnly && !value.isNull
    }

    /// What becomes of a property that a device and the server both changed.
    public func conflictPolicy(of place: Int) -> ConflictPolicy {
        properties[place].conflictPolicy ?? conflictPolicy ?? .serverWins
    }

    /// Whether a new entity may bring a value of the property: not of what is computed or counted.
    @inlinable
    public func takesValue(_ place: Int) -> Bool {
        properties[place].generation != .always && !isCounted(place)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An entity set: a published table or view, or a table of a device's store.
public struct EntitySet: Hashable, Sendable {
    /// On the wire the name of the set (`Orders`), in the database the table or view, in code the plural variable.
    public var names: Names
    public var type: EntityType
    /// Whether entities can only be read, as those of a view.
    public var isReadOnly: Bool
    /// Whether its entities are reached through the containing entity alone, and not by the set's name.
    public var isContained = false
    public var description: String?
    /// The custom aggregates: what `aggregate(Revenue)` stands for, each with its name as the alias.
    ///
    /// Source: OData Extension for Data Aggregation 4.0, "Custom Aggregates".
    public var aggregates: [AggregateItem] = []
    /// The names on the wire that it had in older models, for migrations.
    public var formerNames: [String] = []

    public init(names: Names, type: EntityType, isReadOnly: Bool = false) {
        self.names = names
        self.type = type
        self.isReadOnly = isReadOnly
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An entity set: a published table or view, or a table of a device's store.
public struct EntitySet: Hashable, Sendable {
    /// A set has some twenty parts, and is handed on wherever a name is looked up.
    ///
    /// Inlinable, so that other modules reach for one part and do not copy the whole type for it.
    @usableFromInline var content: Shared<Content>

    @usableFromInline
    struct Content: Hashable, Sendable {
        @usableFromInline var names: Names
        @usableFromInline var type: EntityType
        @usableFromInline var isReadOnly: Bool
        var isContained = false
        var description: String?
        var aggregates: [AggregateItem] = []
        var formerNames: [String] = []
    }

    /// On the wire the name of the set (`Orders`), in the database the table or view, in code the plural variable.
    @inlinable public var names: Names {
        get { content.value.names }
        set { change { $0.names = newValue } }
    }
    /// What its entities are.
    @inlinable public var type: EntityType {
        get { content.value.type }
        set { change { $0.type = newValue } }
    }
    /// Whether entities can only be read, as those of a view.
    @inlinable public var isReadOnly: Bool {
        get { content.value.isReadOnly }
        set { change { $0.isReadOnly = newValue } }
    }
    /// Whether its entities are reached through the containing entity alone, and not by the set's name.
    public var isContained: Bool {
        get { content.value.isContained }
        set { change { $0.isContained = newValue } }
    }
    public var description: String? {
        get { content.value.description }
        set { change { $0.description = newValue } }
    }
    /// The custom aggregates: what `aggregate(Revenue)` stands for, each with its name as the alias.
    ///
    /// Source: OData Extension for Data Aggregation 4.0, "Custom Aggregates".
    public var aggregates: [AggregateItem] {
        get { content.value.aggregates }
        set { change { $0.aggregates = newValue } }
    }
    /// The names on the wire that it had in older models, for migrations.
    public var formerNames: [String] {
        get { content.value.formerNames }
        set { change { $0.formerNames = newValue } }
    }

    public init(names: Names, type: EntityType, isReadOnly: Bool = false) {
        content = Shared(Content(names: names, type: type, isReadOnly: isReadOnly))
    }

    @usableFromInline
    mutating func change(_ body: (inout Content) -> Void) {
        var changed = content.value
        body(&changed)
        content = Shared(changed)
    }
}

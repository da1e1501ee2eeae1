// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStore

/// An entity that typed predicates can ask for; `@Entity` writes the conformance.
public protocol Queryable: Entity {
    /// The properties as terms of predicates.
    associatedtype Columns: EntityColumns

    /// What the source says of the entity.
    static var entityDescription: EntityDescription { get }

    /// What every entity has to meet beside the rules of its properties; none unless the struct has such a member.
    static var rules: [EntityRule] { get }

    /// The value of the key.
    var entityKey: Key { get }

    /// The values of all properties, in the order of the description.
    var edmValues: [Value] { get }
}

/// The properties of an entity, reached over a path of references.
public protocol EntityColumns: Sendable {
    /// The navigation properties that lead to the entity, on the wire; empty for the entity asked for.
    var navigationPath: [String] { get }

    /// - Parameter navigationPath: the navigation properties that lead to the entity, on the wire; empty for the entity asked for.
    init(navigationPath: [String])
}

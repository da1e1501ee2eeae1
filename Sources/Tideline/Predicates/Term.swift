// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A typed expression over an entity: a property, a function of one, a comparison.
///
///     Order.where { $0.total > 100 && $0.client.clientName.hasPrefix("A") }
///                   \_____/           \___________________/
///                    a term                  a term          and the whole is one: a ``Condition``
///
/// It only builds the ``Expression`` that filters on the wire are made of too, so a predicate means the same on the
/// device and on the server.
public struct Term<Content: PropertyValue>: Sendable {
    /// What it says in OData.
    public let expression: Expression

    /// A term of an expression that has this type.
    public init(_ expression: Expression) {
        self.expression = expression
    }

    /// The term of a property.
    ///
    /// - Parameters:
    ///   - path: the navigation properties that lead to the entity.
    ///   - name: the property on the wire.
    public init(_ path: [String], _ name: String) {
        expression = .path(path + [name])
    }
}

/// A term that is true or false: what a predicate returns.
public typealias Condition = Term<Bool>

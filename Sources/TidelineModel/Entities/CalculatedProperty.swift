// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A property whose value is an expression over the entity and what it is related to.
///
///     OrderSum      Details/aggregate(Total with sum)
///     CustomerName  Client/ClientName
///
/// No table holds it and it never crosses the wire: conditions, orders and selections that name it stand for its
/// expression, so it is always as fresh as what it is made of. It may name other calculated properties.
public struct CalculatedProperty: Hashable, Sendable {
    public var names: Names
    /// The type that the value has where it is read.
    public var type: PrimitiveType
    public var expression: Expression
    /// Whether an object that was read keeps its value until a commit touches what the expression reads.
    public var isCached: Bool

    public init(names: Names, type: PrimitiveType, expression: Expression, isCached: Bool = false) {
        self.names = names
        self.type = type
        self.expression = expression
        self.isCached = isCached
    }
}

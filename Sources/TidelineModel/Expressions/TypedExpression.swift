// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An expression whose names are resolved and whose types are known: ready to be evaluated or compiled to SQL.
///
/// Made by ``ExpressionChecker``; every literal already has the type of what it is compared with.
public struct TypedExpression: Hashable, Sendable {
    /// A path from the entity at hand: single-valued navigation properties first, a structural property last.
    public struct Path: Hashable, Sendable {
        /// The places of the navigation properties, each in the type that the one before leads to.
        public var navigations: [Int]
        /// The place of the property in the last type.
        public var property: Int
        /// Conditions on the entities that the path goes through, one for each of `navigations`, each over the entity
        /// reached there; empty, or `nil` at a place, for none.
        ///
        /// Where a condition is not true, the entity counts as absent and the path is null: a user's filter never
        /// looks through a row that a policy hides.
        ///
        /// In SQL a guard stands in the join's condition. Planning adds guards; the checker makes none.
        public var guards: [TypedExpression?]

        public init(navigations: [Int] = [], property: Int, guards: [TypedExpression?] = []) {
            self.navigations = navigations
            self.property = property
            self.guards = guards
        }
    }

    /// What an expression is made of.
    public indirect enum Node: Hashable, Sendable {
        case literal(Value)
        case path(Path)
        case me(attribute: String?)
        case unary(Expression.UnaryOperator, TypedExpression)
        case binary(Expression.BinaryOperator, TypedExpression, TypedExpression)
        case call(Expression.Function, [TypedExpression])
        case isIn(TypedExpression, [TypedExpression])
        case isInUser(TypedExpression, attribute: String)
        /// A number promoted to the expression's type.
        case promote(TypedExpression)
    }

    public var node: Node
    /// The type of the result, or `nil` for the literal null.
    public var type: PrimitiveType?

    public init(node: Node, type: PrimitiveType?) {
        self.node = node
        self.type = type
    }
}

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

        public init(navigations: [Int] = [], property: Int) {
            self.navigations = navigations
            self.property = property
        }
    }

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

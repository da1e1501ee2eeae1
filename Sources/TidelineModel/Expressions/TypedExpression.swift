// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An expression whose names are resolved and whose types are known: ready to be evaluated or compiled to SQL.
///
/// Made by ``ExpressionChecker``; every literal already has the type of what it is compared with.
///
/// The body of a lambda or of a filtered count stands one scope deeper than the expression that it is in. Paths count
/// from the inside: `up` 0 is the innermost scope, so a closed condition (a policy) can be joined to any body as it is.
///
///     Details/any(d: d/Quantity gt Total)        d/Quantity: up 0        Total: up 1
public struct TypedExpression: Hashable, Sendable {
    /// A path from an entity: single-valued navigation properties first, a structural property last.
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
        /// In SQL a guard stands in the join's condition. Planning adds the guards of policies; the checker makes those
        /// of type casts.
        public var guards: [TypedExpression?]
        /// The scope that the path starts from, counted from the inside.
        public var up: Int
        /// Whether the value is used by what must not run over entities that a guard hides: in SQL such a path is a
        /// query of its own and no join, whose parts a database may take in any order.
        package var isFenced = false

        public init(navigations: [Int] = [], property: Int, guards: [TypedExpression?] = [], up: Int = 0) {
            self.navigations = navigations
            self.property = property
            self.guards = guards
            self.up = up
        }
    }

    /// The way from an entity to others: navigation properties, of which any may be collection-valued.
    public struct Way: Hashable, Sendable {
        /// The places of the navigation properties, each in the type that the one before leads to; never empty.
        public var navigations: [Int]
        /// Conditions on the entities reached, as those of ``Path``: what does not meet one is not there.
        public var guards: [TypedExpression?]
        /// Conditions on the link rows of many-to-many steps, in the same manner, each over the link row.
        public var linkGuards: [TypedExpression?]
        /// The scope that the way starts from, counted from the inside.
        public var up: Int

        public init(
            navigations: [Int],
            guards: [TypedExpression?] = [],
            linkGuards: [TypedExpression?] = [],
            up: Int = 0
        ) {
            self.navigations = navigations
            self.guards = guards
            self.linkGuards = linkGuards
            self.up = up
        }
    }

    /// What a lambda or a count goes over.
    public indirect enum Items: Hashable, Sendable {
        /// Entities; the body's innermost scope is one of them.
        case entities(Way)
        /// All entities of a set, by its wire name, that meet a condition over them.
        case set(String, guard: TypedExpression?)
        /// The items of a JSON array; the body's innermost scope is one of them, see ``Node/item(up:)``.
        case values(TypedExpression)
    }

    /// One branch of `case`.
    public struct Branch: Hashable, Sendable {
        public var condition: TypedExpression
        public var value: TypedExpression

        public init(condition: TypedExpression, value: TypedExpression) {
            self.condition = condition
            self.value = value
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
        /// A value cast to the expression's type, null where it cannot be.
        case cast(TypedExpression)
        /// The value of the first branch whose condition is true, else null.
        case conditional([Branch])
        /// Whether the condition is true for one or for all items; without one, whether there are items.
        case lambda(Expression.Quantifier, Items, TypedExpression?)
        /// How many items there are for which the condition is true.
        case count(Items, TypedExpression?)
        /// The item of the JSON array that the scope is, counted from the inside.
        case item(up: Int)
        /// The value at the end of a path of member names in JSON text.
        case member(TypedExpression, [String])
        /// The item of a JSON array at a place, counted from zero, or from the end when negative.
        case element(TypedExpression, Int)
        /// A JSON array of constants.
        case list([TypedExpression])
        /// One value made of those that an expression has for the items for which the condition is true.
        case fold(Folding, Items, where: TypedExpression?, TypedExpression)
        /// Whether two JSON texts are the same structure, see ``JSONValue/isSame(as:)``; never null.
        case isSame(TypedExpression, TypedExpression)
        /// What a function gives: a value, or the JSON text of a collection of values.
        case invoke(Invocation)
        /// Whether a key is among those of the entities that a function gives; never null.
        case isResult(Invocation, [TypedExpression])
        /// Whether words stand side by side in one of several texts, as ``SearchWords`` has them; never null.
        case found([String], in: [TypedExpression])
    }

    public var node: Node
    /// The type of the result, or `nil` for the literal null and for what takes the other side's type.
    public var type: PrimitiveType?
    /// The enumeration that a number is of.
    public var enumeration: String? {
        get { kind?.value.enumeration }
        set { kind = Kind(enumeration: newValue, structure: structure).shared }
    }
    /// What the result is when it is JSON text; such a value has no operator but `eq null` and `ne null`.
    public var structure: Structure? {
        get { kind?.value.structure }
        set { kind = Kind(enumeration: enumeration, structure: newValue).shared }
    }

    // What few expressions have: they are copied at every step from text to SQL.
    private var kind: Shared<Kind>?

    private struct Kind: Hashable, Sendable {
        var enumeration: String?
        var structure: Structure?

        /// One form for each value, so that equal expressions are equal; `nil` for nothing.
        var shared: Shared<Kind>? { enumeration == nil && structure == nil ? nil : Shared(self) }
    }

    public init(node: Node, type: PrimitiveType?, enumeration: String? = nil, structure: Structure? = nil) {
        self.node = node
        self.type = type
        kind = Kind(enumeration: enumeration, structure: structure).shared
    }
}

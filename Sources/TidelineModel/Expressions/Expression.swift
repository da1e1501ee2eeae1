// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An expression of OData as it is written: names are not looked up and types are not known yet.
///
/// The one language of filters, subscriptions, row policies, rules and local queries. URL text and Swift predicates
/// both make it; ``TypedExpression`` is made from it against an entity type.
/// Source: OData URL Conventions 4.01, section 5.1.1.
public indirect enum Expression: Hashable, Sendable {
    /// A constant. Text whose type depends on what it meets (a date, a GUID) arrives with the type that its form has.
    case literal(Value)
    /// A path of names: single-valued navigation properties, complex properties, a structural property last.
    ///
    /// `["Order", "Client", "ClientName"]`. A name with a dot is the qualified name of a type that what precedes is
    /// cast to; the first name may be a lambda variable, `$it` or `$this`.
    case path([String])
    /// A path that has more than names: keys, function calls, `$filter(…)`, annotations, `$root`.
    case general([PathSegment])
    /// The signed-in user, `@me` (its Id), or an attribute of it, `@me/Roles`.
    case me(attribute: String?)
    case unary(UnaryOperator, Expression)
    case binary(BinaryOperator, Expression, Expression)
    case call(Function, [Expression])
    /// `expression in (item, item, …)`.
    case isIn(Expression, [Expression])
    /// `expression in @me/Teams`: membership in an attribute of the user that holds several values.
    case isInUser(Expression, attribute: String)
    /// `expression in Path`: membership in a collection of the entity.
    case isInCollection(Expression, Expression)
    /// `Items/any(i:i/Quantity gt 100)`; without variable and condition, `Items/any()`.
    case lambda(Quantifier, over: [String], variable: String?, Expression?)
    /// `Items/$count($filter=…;$search=…)`: how many of a collection there are.
    case count(of: [String], filter: Expression?, search: SearchExpression?)
    /// `cast(expression,Type)`; without an expression, of the instance itself.
    case cast(Expression?, type: String)
    /// `isof(expression,Type)`; without an expression, of the instance itself.
    case isOf(Expression?, type: String)
    /// `case(condition:value,condition:value,…)`: the value of the first branch whose condition is true.
    case conditional([Branch])
    /// `Ns.Color'Red,Blue'`: the members, by name or by number, as they are written.
    case enumeration(type: String, members: String)
    /// A JSON array, such as the value of a collection-valued parameter.
    case list([Expression])
    /// A JSON object, such as the value of a structured parameter.
    case object([Member])
    /// `Path/aggregate(Amount with sum)`: a value aggregated over a collection; the set itself when the path is empty.
    case aggregate(over: [String], [AggregateItem])

    /// The operators of one operand, named as they are written.
    public enum UnaryOperator: String, Hashable, Sendable {
        case not
        case negate = "-"
    }

    /// The operators, named as they are written.
    public enum BinaryOperator: String, Hashable, Sendable, CaseIterable {
        case or, and
        case equal = "eq"
        case notEqual = "ne"
        case lessThan = "lt"
        case lessOrEqual = "le"
        case greaterThan = "gt"
        case greaterOrEqual = "ge"
        case has
        case add, sub, mul, div, divby, mod
    }

    /// The canonical functions, named as they are written.
    public enum Function: String, Hashable, Sendable, CaseIterable {
        case concat, contains, endswith, indexof, length, startswith, substring
        case tolower, toupper, trim, matchesPattern
        case year, month, day, hour, minute, second, fractionalseconds, date, time, totaloffsetminutes
        case totalseconds, now, mindatetime, maxdatetime
        case ceiling, floor, round
        case hassubset, hassubsequence
        case geoDistance = "geo.distance"
        case geoIntersects = "geo.intersects"
        case geoLength = "geo.length"
    }

    /// The two quantifiers of lambda expressions.
    public enum Quantifier: String, Hashable, Sendable, CaseIterable {
        case any, all
    }

    /// One branch of `case`.
    public struct Branch: Hashable, Sendable {
        public var condition: Expression
        public var value: Expression

        public init(condition: Expression, value: Expression) {
            self.condition = condition
            self.value = value
        }
    }

    /// One member of a JSON object.
    public struct Member: Hashable, Sendable {
        public var name: String
        public var value: Expression

        public init(name: String, value: Expression) {
            self.name = name
            self.value = value
        }
    }
}

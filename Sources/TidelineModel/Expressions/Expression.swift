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
    /// A path over single-valued navigation properties to a structural property: `["Order", "Client", "ClientName"]`.
    case path([String])
    /// The signed-in user, `@me` (its Id), or an attribute of it, `@me/Roles`.
    case me(attribute: String?)
    case unary(UnaryOperator, Expression)
    case binary(BinaryOperator, Expression, Expression)
    case call(Function, [Expression])
    /// `expression in (item, item, …)`.
    case isIn(Expression, [Expression])
    /// `expression in @me/Teams`: membership in an attribute of the user that holds several values.
    case isInUser(Expression, attribute: String)

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
        case add, sub, mul, div, divby, mod
    }

    /// The canonical functions, named as they are written.
    public enum Function: String, Hashable, Sendable, CaseIterable {
        case concat, contains, endswith, indexof, length, startswith, substring
        case tolower, toupper, trim
        case year, month, day, hour, minute, second, fractionalseconds, date, time, totaloffsetminutes
        case totalseconds, now, mindatetime, maxdatetime
        case ceiling, floor, round
    }
}

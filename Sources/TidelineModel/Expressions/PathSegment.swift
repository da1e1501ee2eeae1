// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One segment of a path in an expression that has more than names.
///
///     $root/Orders(42)/Items/$filter(Price gt 1)/Ns.First(n=2)/@Core.Description
///     \___/ \____/\__/ \___/ \_________________/ \___________/ \_______________/
///     root   name key  name        filter          function        annotation
///
/// Source: OData ABNF construction rules 4.01, section 4, `firstMemberExpr` and `rootExpr`.
public indirect enum PathSegment: Hashable, Sendable {
    /// `$root`, the first segment of a path from the service root.
    case root
    /// A property, a lambda variable, `$it`, `$this`, an entity set or a singleton.
    case name(String)
    /// The qualified name of a type that what precedes is cast to.
    case cast(String)
    /// A key predicate, which follows a collection.
    case key([PathArgument])
    /// A call of a function, bound or imported, with its parameters but the binding one.
    case function(String, [PathArgument])
    /// `@Ns.Term#Qualifier`.
    case annotation(term: String, qualifier: String?)
    /// `$filter(condition)`.
    case filter(Expression)
    /// `any(…)` or `all(…)`, the last segment.
    case lambda(Expression.Quantifier, variable: String?, Expression?)
    /// `$count`, the last segment.
    case count(filter: Expression?, search: SearchExpression?)
    /// `aggregate(…)`, the last segment.
    case aggregate([AggregateItem])
    /// An item of an ordered collection, counted from zero, or from the end when negative; after a collection of entities
    /// the key of one.
    case ordinal(Int64)
    /// A parameter alias of outer options that stands for an instance there, the first segment.
    case alias(String)
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One transformation of `$apply`; a sequence of them is joined by `/`.
///
///     filter(Year eq 2026)/groupby((Country),aggregate(Amount with sum as Total))/topcount(5,Total)
///
/// Source: OData Extension for Data Aggregation 4.0, section 3.
public indirect enum Transformation: Hashable, Sendable {
    case identity
    case aggregate([AggregateItem])
    /// Groups, and a sequence applied to each group; none for the distinct combinations alone.
    case groupBy([GroupingElement], [Transformation])
    case filter(Expression)
    case search(SearchExpression)
    case compute([ComputeItem])
    case orderBy([OrderByItem])
    case top(Int64)
    case skip(Int64)
    /// The union of the results of several sequences.
    case concat([[Transformation]])
    /// `topcount(5,Amount)` and its kin: how many (or how much, or how many per cent), and by what.
    case ranked(Ranking, Expression, by: Expression)
    /// `expand(Path,filter(…),expand(…))`.
    case expand([String], [Transformation])
    /// `addnested(Path,sequence as Name,…)`.
    case addNested([String], [NestedSequence])
    /// `join(Path as Name,sequence)`, `outerjoin(…)`.
    case join(isOuter: Bool, [String], as: String, [Transformation])
    /// `nest(sequence as Name,…)`.
    case nest([NestedSequence])
    /// `ancestors(…)`, `descendants(…)`, `traverse(…)` with their arguments as they are written.
    case hierarchy(String, String)
    /// A service-defined function bound to a collection, with its parameters.
    case function(String, [PathArgument])

    /// The transformations that keep the first or last of an ordered set.
    public enum Ranking: String, Hashable, Sendable, CaseIterable {
        case topCount = "topcount"
        case topSum = "topsum"
        case topPercent = "toppercent"
        case bottomCount = "bottomcount"
        case bottomSum = "bottomsum"
        case bottomPercent = "bottompercent"
    }

    /// A sequence whose result becomes a property: `filter(…)/top(3) as Best`.
    public struct NestedSequence: Hashable, Sendable {
        public var transformations: [Transformation]
        public var name: String

        public init(_ transformations: [Transformation], as name: String) {
            self.transformations = transformations
            self.name = name
        }
    }
}

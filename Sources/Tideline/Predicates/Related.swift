// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The entities that a `@HasMany` leads to, in predicates and orders.
///
///     Order.where { $0.lines.any { $0.amount > 5 } && $0.lines.count < 10 }
///     Order.all.sorted { $0.lines.sum { $0.amount } }
public struct Related<Element: Queryable>: Sendable {
    /// The path to the collection on the wire.
    let path: [String]

    /// - Parameters:
    ///   - path: the navigation properties that lead to the entity that has the many.
    ///   - name: the navigation property on the wire.
    public init(_ path: [String], _ name: String) {
        self.path = path + [name]
    }

    /// Whether at least one of them satisfies a condition.
    public func any(_ predicate: (Element.Columns) -> Condition) -> Condition { lambda(.any, predicate) }

    /// Whether all of them satisfy a condition, as they do where there are none.
    public func all(_ predicate: (Element.Columns) -> Condition) -> Condition { lambda(.all, predicate) }

    /// Whether there are none.
    public var isEmpty: Condition {
        Condition(.unary(.not, .lambda(.any, over: path, variable: nil, nil)))
    }

    /// How many there are.
    public var count: Term<Int64> { Term(.count(of: path, filter: nil, search: nil)) }

    /// How many of them satisfy a condition.
    ///
    /// The condition names properties of the many and what they lead to, and nothing of the entity that has them.
    public func count(where predicate: (Element.Columns) -> Condition) -> Term<Int64> {
        Term(.count(of: path, filter: predicate(Element.Columns(navigationPath: [])).expression, search: nil))
    }

    /// The sum of a number over them; null where there are none.
    public func sum<Content: NumberValue>(of term: (Element.Columns) -> Term<Content>) -> Term<Content.Sum> {
        Term(aggregate(.sum, term))
    }

    /// The least value over them; null where there are none.
    public func min<Content>(of term: (Element.Columns) -> Term<Content>) -> Term<Content> {
        Term(aggregate(.min, term))
    }

    /// The greatest value over them; null where there are none.
    public func max<Content>(of term: (Element.Columns) -> Term<Content>) -> Term<Content> {
        Term(aggregate(.max, term))
    }

    /// The mean of a number over them; null where there are none.
    public func average<Content: NumberValue>(of term: (Element.Columns) -> Term<Content>) -> Term<Content.Average> {
        Term(aggregate(.average, term))
    }

    private func aggregate<Content>(
        _ method: AggregateMethod,
        _ term: (Element.Columns) -> Term<Content>
    ) -> Expression {
        let value = term(Element.Columns(navigationPath: [])).expression
        return .aggregate(over: path, [AggregateItem(.expression(value), with: method)])
    }

    private func lambda(
        _ quantifier: Expression.Quantifier,
        _ predicate: (Element.Columns) -> Condition
    ) -> Condition {
        // Each level has a name of its own, so that a condition may name what any level outside it stands for.
        let level = LambdaLevel.current
        let variable = "_\(level)"
        let condition = LambdaLevel.$current.withValue(level + 1) {
            predicate(Element.Columns(navigationPath: [variable])).expression
        }
        return Condition(.lambda(quantifier, over: path, variable: variable, condition))
    }
}

/// How many lambdas are being built around the present one.
private enum LambdaLevel {
    @TaskLocal static var current = 1
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
import TidelineStorage

/// What to fetch: the entities of one set that satisfy a condition, in an order, a number of them.
///
///     Order.where { $0.total > 100 }.sorted(descending: true) { $0.total }.limit(5)
///
/// Only a description: a store carries it out, once or live, and so can a service. Entities with the same place in the
/// order come by key.
public struct Query<Result: Queryable>: Sendable {
    struct SortKey: Sendable {
        let expression: Expression
        let isDescending: Bool
        var collation: TextCollation?
    }

    /// What the entities satisfy, or `nil` for all.
    public internal(set) var filter: Expression?
    var searches: [TextSearch] = []
    var conditions: [SQLText] = []
    var order: [SortKey] = []
    var top: Int?
    var skip = 0

    init(filter: Expression? = nil) {
        self.filter = filter
    }

    /// Only those that satisfy another condition too.
    public func `where`(_ predicate: (Result.Columns) -> Condition) -> Query {
        filtered(predicate(Result.Columns(navigationPath: [])).expression)
    }

    /// Ordered by a term, after the orders that were given before; null comes first, and last where it descends.
    ///
    /// - Parameters:
    ///   - descending: whether the greatest comes first.
    ///   - term: what to order by.
    public func sorted<Content>(descending: Bool = false, by term: (Result.Columns) -> Term<Content>) -> Query {
        adding(SortKey(expression: term(Result.Columns(navigationPath: [])).expression, isDescending: descending))
    }

    /// At most so many, from the first on.
    public func limit(_ count: Int) -> Query {
        precondition(count >= 0, "A limit is zero or more.")
        var query = self
        query.top = count
        return query
    }

    /// Without the first so many.
    public func offset(_ count: Int) -> Query {
        precondition(count >= 0, "An offset is zero or more.")
        var query = self
        query.skip = count
        return query
    }

    /// One page of all: pages may be read in any order, and those of an order without doubles never overlap.
    ///
    /// - Parameters:
    ///   - number: the page, counted from 0.
    ///   - size: how many entities a page has.
    public func page(_ number: Int, size: Int) -> Query {
        precondition(number >= 0 && size > 0, "Pages count from zero and have entities.")
        return offset(number * size).limit(size)
    }

    /// The greatest by a term, the greatest first; null is less than any value.
    public func top<Content>(_ count: Int, by term: (Result.Columns) -> Term<Content>) -> Query {
        sorted(descending: true, by: term).limit(count)
    }

    func filtered(_ added: Expression) -> Query {
        var query = self
        query.filter = filter.map { .binary(.and, $0, added) } ?? added
        return query
    }

    func adding(_ key: SortKey) -> Query {
        var query = self
        query.order.append(key)
        return query
    }
}

extension Queryable {
    /// All entities of the set.
    public static var all: Query<Self> { Query() }

    /// The entities that satisfy a condition.
    public static func `where`(_ predicate: (Columns) -> Condition) -> Query<Self> { all.where(predicate) }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension Transformation {
    /// The paths that stand in it, those of sequences inside it included.
    var paths: [[String]] {
        switch self {
        case .identity, .search, .top, .skip, .hierarchy, .function: []
        case .aggregate(let items): items.flatMap(\.paths)
        case .groupBy(let elements, let inner): elements.flatMap(\.paths) + inner.flatMap(\.paths)
        case .filter(let condition): condition.paths
        case .compute(let items): items.flatMap(\.expression.paths)
        case .orderBy(let items): items.flatMap(\.expression.paths)
        case .concat(let sequences): sequences.flatMap { $0.flatMap(\.paths) }
        case .ranked(_, _, let by): by.paths
        case .expand(let path, let inner), .join(_, let path, _, let inner): [path] + inner.flatMap(\.paths)
        case .addNested(let path, let nested): [path] + nested.flatMap { $0.transformations.flatMap(\.paths) }
        case .nest(let nested): nested.flatMap { $0.transformations.flatMap(\.paths) }
        }
    }
}

extension GroupingElement {
    fileprivate var paths: [[String]] {
        switch self {
        case .property(let path): [path]
        case .rollup(_, let levels): levels
        case .rollupRecursive: []
        }
    }
}

extension AggregateItem {
    fileprivate var paths: [[String]] {
        let steps = from.map(\.property)
        return switch source {
        case .expression(let expression): expression.paths + steps
        case .custom(let path), .count(let path): [path] + steps
        }
    }
}

extension Expression {
    /// The paths of names that stand in it, outside of lambdas too: more than are needed do no harm.
    fileprivate var paths: [[String]] {
        switch self {
        case .literal, .general, .me, .enumeration, .object: []
        case .path(let names): [names]
        case .unary(_, let inner), .isInUser(let inner, _): inner.paths
        case .binary(_, let left, let right), .isInCollection(let left, let right): left.paths + right.paths
        case .call(_, let arguments), .list(let arguments): arguments.flatMap(\.paths)
        case .isIn(let item, let list): item.paths + list.flatMap(\.paths)
        case .lambda(_, _, _, let body): body?.paths ?? []
        case .count(_, let filter, _): filter?.paths ?? []
        case .cast(let inner, _), .isOf(let inner, _): inner?.paths ?? []
        case .conditional(let branches): branches.flatMap { $0.condition.paths + $0.value.paths }
        case .aggregate(_, let items): items.flatMap(\.paths)
        }
    }
}

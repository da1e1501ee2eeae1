// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Groups and aggregates.
extension AggregationPlanner {
    mutating func group(
        _ elements: [GroupingElement],
        _ inner: [Transformation]
    ) throws(ExpressionError) {
        var paths: [[String]] = []
        // Each element multiplies the grouping sets.
        var sets: [[Int]] = [[]]
        for element in elements {
            switch element {
            case .property(let path):
                sets = sets.map { $0 + [paths.count] }
                paths.append(path)
            case .rollup(let startsWithAll, let levels):
                let places = Array(paths.count..<(paths.count + levels.count))
                let least = startsWithAll ? 0 : 1
                guard levels.count >= least else { throw Self.unsupported("an empty rollup") }
                let prefixes = (least...max(levels.count, least)).reversed().map { Array(places.prefix($0)) }
                sets = sets.flatMap { before in prefixes.map { before + $0 } }
                paths += levels
            case .rollupRecursive: throw Self.unsupported("rolluprecursive")
            }
        }
        let items: [AggregateItem]
        switch inner.first {
        case nil: items = []
        case .aggregate(let list)? where inner.count == 1: items = list
        default: throw Self.unsupported("groupby with transformations other than aggregate")
        }
        try group(by: paths, sets: sets, items)
    }

    mutating func group(
        by paths: [[String]],
        sets: [[Int]],
        _ items: [AggregateItem]
    ) throws(ExpressionError) {
        if let item = items.first, !item.from.isEmpty {
            guard items.count == 1, sets.count == 1 else { throw Self.unsupported("from beside other aggregates") }
            return try group(by: paths, from: item)
        }
        var keys: [TypedExpression] = []
        var columns: [AggregationPlan.Column] = []
        for path in paths {
            let value = try check(.path(path))
            guard value.structure == nil, value.type?.isSpatial != true else {
                throw Self.unsupported("grouping by a structured or spatial value")
            }
            keys.append(value)
            columns.append(Self.result(path, value))
        }
        var aggregates: [AggregationPlan.Aggregate] = []
        for item in items {
            guard item.from.isEmpty else { throw Self.unsupported("from beside other aggregates") }
            let (aggregate, column) = try self.aggregate(item)
            aggregates.append(aggregate)
            columns.append(column)
        }
        steps.append(.group(keys: keys, sets: sets, aggregates: aggregates))
        shape = .rows(columns)
        order = []
    }

    /// `Amount with sum from Month with average`: first for each month, then over the months.
    private mutating func group(by paths: [[String]], from item: AggregateItem) throws(ExpressionError) {
        var first = item
        first.from = []
        var inner = item.from.map(\.property)
        try group(by: paths + inner, sets: [Array(0..<(paths.count + inner.count))], [first])
        for step in item.from {
            inner.removeFirst()
            let again = AggregateItem(
                .expression(.path([item.alias ?? ""])),
                with: step.method ?? item.method,
                as: item.alias
            )
            try group(by: paths + inner, sets: [Array(0..<(paths.count + inner.count))], [again])
        }
    }

    private func aggregate(
        _ item: AggregateItem
    ) throws(ExpressionError) -> (AggregationPlan.Aggregate, AggregationPlan.Column) {
        guard let alias = item.alias else { throw Self.unsupported("custom aggregates") }
        let value: TypedExpression
        let method: AggregateMethod
        switch item.source {
        case .custom: throw Self.unsupported("custom aggregates")
        case .count(let path) where path.isEmpty:
            let count = AggregationPlan.Aggregate(method: .count, value: nil, type: .int64)
            return (count, .init(path: [alias], type: .int64))
        case .count(let path): (value, method) = (try check(.count(of: path, filter: nil, search: nil)), .sum)
        case .expression(let expression):
            guard let name = item.method else { throw Self.unsupported("an aggregate without a method") }
            (value, method) = (try check(expression), name)
        }
        let result = try Self.result(of: method, over: value)
        return (result, .init(path: [alias], type: result.type))
    }

    private static func result(
        of method: AggregateMethod,
        over value: TypedExpression
    ) throws(ExpressionError) -> AggregationPlan.Aggregate {
        let (folding, type) = try Folding.of(method, over: value)
        let kind: AggregationPlan.Aggregate.Method =
            switch folding {
            case .sum, .only, .keys: .sum
            case .min: .min
            case .max: .max
            case .average: .average
            case .countDistinct: .countDistinct
            }
        return .init(method: kind, value: value, type: type)
    }
}

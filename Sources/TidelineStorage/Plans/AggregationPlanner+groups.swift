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
        switch inner.first {
        case nil: try group(by: paths, sets: sets, [])
        case .aggregate(let items)? where inner.count == 1: try group(by: paths, sets: sets, items)
        default:
            guard sets.count > 1 else { return try apply(inner, toEach: paths) }
            var branches: [Branch] = []
            for set in sets {
                var branch = self
                branch.steps = []
                try branch.apply(inner, toEach: set.map { paths[$0] })
                branch.order = []
                let columns = try branch.project()
                branches.append(Branch(steps: branch.steps, columns: columns, copies: branch.copies))
            }
            try unite(branches, from: steps.count)
        }
    }

    /// Applies a sequence to each group of rows that agree in some values.
    ///
    /// Nothing is cut apart: the steps of the sequence work within the groups.
    private mutating func apply(_ inner: [Transformation], toEach paths: [[String]]) throws(ExpressionError) {
        let (outer, around, wasEmpty) = (within.count, split, mayBeEmpty)
        for path in paths where !within.contains(where: { $0.path == path }) {
            within.append(Grouping(path: path, value: try groupable(path)))
        }
        split = Split(start: steps.count, shape: shape, within: within)
        mayBeEmpty = false
        try add(all: inner)
        // The entities themselves do not tell what they are grouped by over other entities.
        if projection().columns.count > plainCount { try project() }
        within.removeLast(within.count - outer)
        split = around
        mayBeEmpty = mayBeEmpty || wasEmpty
    }

    /// How many columns entities are without what they are grouped by.
    private var plainCount: Int {
        guard case .entities(let made) = shape else { return 0 }
        return Self.plainProperties(set.type).count + made.count
    }

    private func groupable(_ path: [String]) throws(ExpressionError) -> TypedExpression {
        let value = try check(.path(path))
        guard value.structure == nil, value.type?.isSpatial != true else {
            throw Self.unsupported("grouping by a structured or spatial value")
        }
        return value
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
        var keys = within.map(\.value)
        var columns = within.map { Self.result($0.path, $0.value) }
        var places: [Int] = []
        for path in paths {
            if let known = within.firstIndex(where: { $0.path == path }) {
                places.append(known)
                continue
            }
            let value = try groupable(path)
            places.append(keys.count)
            keys.append(value)
            columns.append(Self.result(prefix + path, value))
        }
        let kept = Array(within.indices)
        let whole = sets.map { set in kept + set.map { places[$0] }.filter { !kept.contains($0) } }
        var aggregates: [AggregationPlan.Aggregate] = []
        for item in items {
            guard item.from.isEmpty else { throw Self.unsupported("from beside other aggregates") }
            let (aggregate, column) = try self.aggregate(item)
            aggregates.append(aggregate)
            columns.append(column)
        }
        try setCopies(copies * whole.count)
        steps.append(.group(keys: keys, sets: whole, aggregates: aggregates))
        become(columns)
        joined = [:]
        mayBeEmpty = false
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

    /// Aggregates all rows, or those of each group, the groups that have lost theirs included.
    mutating func aggregate(_ items: [AggregateItem]) throws(ExpressionError) {
        guard mayBeEmpty, let split, !within.isEmpty else { return try group(by: [], sets: [[]], items) }
        var groups = self
        (groups.steps, groups.shape, groups.within) = ([], split.shape, split.within)
        try groups.group(by: [], sets: [[]], [])
        var filled = self
        filled.steps = Array(steps[split.start...])
        try filled.group(by: [], sets: [[]], items)
        guard case .rows(let columns) = filled.shape, case .group(_, _, let aggregates)? = filled.steps.last else {
            throw Self.unsupported("aggregate")
        }
        try setCopies(filled.copies + groups.copies)
        // What a group without rows has: nothing, and 0 where rows are counted.
        var places: [Int?] = Array(within.indices)
        var zeros: [TypedExpression] = []
        for aggregate in aggregates {
            switch aggregate.method {
            case .count, .countDistinct:
                places.append(within.count + zeros.count)
                zeros.append(TypedExpression(node: .literal(.integer(0)), type: .int64))
            case .sum, .min, .max, .average: places.append(nil)
            }
        }
        if !zeros.isEmpty { groups.steps.append(.compute(zeros)) }
        let whole = [(filled.steps, Array(columns.indices).map(Optional.some)), (groups.steps, places)]
        steps.removeSubrange(split.start...)
        steps.append(.concat(whole, types: columns.map(\.type)))
        let values = columns.enumerated().map { Self.column($0, $1) }
        let most = values[within.count...].map { value in
            AggregationPlan.Aggregate(method: .max, value: value, type: value.type ?? .int64)
        }
        steps.append(
            .group(keys: Array(values[..<within.count]), sets: [Array(within.indices)], aggregates: most)
        )
        become(columns)
        joined = [:]
        mayBeEmpty = false
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
            return (count, .init(path: prefix + [alias], type: .int64))
        case .count(let path): (value, method) = (try check(.count(of: path, filter: nil, search: nil)), .sum)
        case .expression(let expression):
            guard let name = item.method else { throw Self.unsupported("an aggregate without a method") }
            (value, method) = (try check(expression), name)
        }
        let result = try Self.result(of: method, over: value)
        return (result, .init(path: prefix + [alias], type: result.type))
    }

    private static func result(
        of method: AggregateMethod,
        over value: TypedExpression
    ) throws(ExpressionError) -> AggregationPlan.Aggregate {
        let (folding, type) = try Folding.of(method, over: value)
        let kind: AggregationPlan.Aggregate.Method =
            switch folding {
            case .sum, .only: .sum
            case .min: .min
            case .max: .max
            case .average: .average
            case .countDistinct: .countDistinct
            }
        return .init(method: kind, value: value, type: type)
    }
}

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
                let parts = parts(of: path)
                sets = sets.map { $0 + Array(paths.count..<(paths.count + parts.count)) }
                paths += parts
            case .rollup(let startsWithAll, let levels):
                let least = startsWithAll ? 0 : 1
                guard levels.count >= least else { throw Self.unsupported("an empty rollup") }
                var places: [Range<Int>] = []
                for level in levels {
                    let parts = parts(of: level)
                    places.append(paths.count..<(paths.count + parts.count))
                    paths += parts
                }
                let prefixes = (least...max(levels.count, least)).reversed().map {
                    places.prefix($0).flatMap(Array.init)
                }
                sets = sets.flatMap { before in prefixes.map { before + $0 } }
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

    /// The paths that a grouping property stands for: those of all properties of a related entity or a complex value.
    private func parts(of path: [String]) -> [[String]] {
        var paths: [[String]]
        switch shape {
        case .rows(let columns): paths = columns.filter { !$0.isHidden }.map(\.path)
        case .entities:
            paths = Self.plainProperties(set.type).map { Self.path(of: $0, in: set.type) }
            var target: EntitySet? = set
            for name in path {
                let navigation = target.flatMap { set in
                    set.type.navigationIndex(wire: name).map { set.type.navigationProperties[$0] }
                }
                target = navigation.flatMap { $0.isCollection ? nil : model[set: $0.targetSet] }
            }
            if let target {
                return Self.plainProperties(target.type).map { path + Self.path(of: $0, in: target.type) }
            }
        }
        guard !paths.contains(path) else { return [path] }
        paths = paths.filter { $0.starts(with: path) }
        return paths.isEmpty ? [path] : paths
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
        if items.contains(where: { !$0.from.isEmpty }) {
            guard sets.count > 1 else { return try merge(items, by: sets[0].map { paths[$0] }) }
            var branches: [Branch] = []
            for set in sets {
                var branch = self
                branch.steps = []
                try branch.merge(items, by: set.map { paths[$0] })
                branches.append(Branch(steps: branch.steps, columns: try branch.project(), copies: branch.copies))
            }
            return try unite(branches, from: steps.count)
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

    /// Values that are aggregated in steps and others: each is made apart, and one row of all that a group has.
    private mutating func merge(_ items: [AggregateItem], by paths: [[String]]) throws(ExpressionError) {
        let plain = items.filter(\.from.isEmpty)
        let stepped = items.filter { !$0.from.isEmpty }
        if plain.isEmpty, stepped.count == 1 { return try group(by: paths, from: stepped[0]) }
        var branches: [Branch] = []
        for list in (plain.isEmpty ? [] : [plain]) + stepped.map({ [$0] }) {
            var branch = self
            branch.steps = []
            if list[0].from.isEmpty {
                try branch.group(by: paths, sets: [Array(paths.indices)], list)
            } else {
                try branch.group(by: paths, from: list[0])
            }
            branches.append(Branch(steps: branch.steps, columns: try branch.project(), copies: branch.copies))
        }
        let keys = branches[0].columns.count - max(plain.count, 1)
        try unite(branches, from: steps.count)
        try regroup(keys)
        joined = [:]
        mayBeEmpty = false
    }

    /// One row of those that agree in the first columns and have one value at most in each of the others.
    private mutating func regroup(_ keys: Int) throws(ExpressionError) {
        guard case .rows(let columns) = shape else { throw Self.unsupported("aggregate") }
        let values = columns.enumerated().map { Self.column($0, $1) }
        let most = values[keys...].map { value in
            AggregationPlan.Aggregate(method: .max, value: value, type: value.type ?? .int64)
        }
        steps.append(.group(keys: Array(values[..<keys]), sets: [Array(0..<keys)], aggregates: most))
        become(columns)
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
        become(columns)
        try regroup(within.count)
        joined = [:]
        mayBeEmpty = false
    }

    private func aggregate(
        _ item: AggregateItem
    ) throws(ExpressionError) -> (AggregationPlan.Aggregate, AggregationPlan.Column) {
        if case .custom = item.source {
            guard case .entities = shape else { throw Self.unsupported("custom aggregates") }
            return try aggregate(Self.resolved(item, over: set))
        }
        guard let alias = item.alias else { throw Self.unsupported("an aggregate without a name") }
        let value: TypedExpression
        let method: AggregateMethod
        switch item.source {
        case .custom: throw Self.unsupported("such a custom aggregate")
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

    /// What a custom aggregate of a set stands for, under its own name or the one that it is given.
    static func resolved(_ item: AggregateItem, over set: EntitySet) throws(ExpressionError) -> AggregateItem {
        guard case .custom(let path) = item.source else { return item }
        guard path.count == 1, var known = set.aggregates.first(where: { $0.alias == path[0] }) else {
            throw unsupported("the custom aggregate \(path.joined(separator: "/"))")
        }
        known.alias = item.alias ?? known.alias
        return known
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

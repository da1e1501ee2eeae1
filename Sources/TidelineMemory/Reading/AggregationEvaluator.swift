// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Runs the steps of `$apply` over one version.
struct AggregationEvaluator {
    let relations: MemoryRelations
    let plan: AggregationPlan

    /// Rows on their way: of entities until they are projected.
    private struct Rows {
        var values: [[Value]]
        var isDerived: Bool
    }

    /// Pushes all rows of the result.
    func run(into sink: any RowSink) throws -> Int {
        let sorted = try order(rows(), plan.orderBy).values
        var count = 0
        for row in sorted.dropFirst(plan.skip).prefix(plan.top ?? .max) {
            sink.beginRow()
            for value in row { _ = ComputedOutput.push(value, into: sink) }
            sink.endRow(etag: nil)
            count += 1
        }
        return count
    }

    /// The rows of the entities that the steps leave.
    func entities() throws -> [[Value]] { try rows().values }

    private func rows() throws -> Rows {
        let set = try relations.schema.place(of: plan.set)
        var rows = Rows(values: try relations.rows(of: set, from: plan.source), isDerived: false)
        if let filter = plan.filter { rows = try apply(.filter(filter), rows) }
        for step in plan.steps { rows = try apply(step, rows) }
        return rows
    }

    private func value(_ expression: TypedExpression, _ row: [Value], _ rows: Rows) throws -> Value {
        let source: EntitySource
        if rows.isDerived {
            source = EntitySource(row, user: plan.user)
        } else {
            let set = try relations.schema.place(of: plan.set)
            source = relations.source(set, user: plan.user)(row)
        }
        return try relations.evaluator(source, plan.user).value(of: expression)
    }

    /// By keys, then by all of the row, so that an order is always the same.
    private func order(_ rows: Rows, _ keys: [ReadPlan.SortKey]) throws -> Rows {
        let rest = rows.isDerived ? Array((rows.values.first ?? []).indices) : plan.set.type.key
        let order = RowOrder(isDescending: keys.map(\.isDescending) + rest.map { _ in false })
        let keyed = try rows.values.map { row in
            (row, try keys.map { try value($0.expression, row, rows) } + rest.map { row[$0] })
        }
        return Rows(values: keyed.sorted { order.compare($0.1, $1.1) < 0 }.map(\.0), isDerived: rows.isDerived)
    }

    private func apply(_ step: AggregationPlan.Step, _ rows: Rows) throws -> Rows {
        var result = rows
        switch step {
        case .filter(let condition):
            result.values = try rows.values.filter { try value(condition, $0, rows) == .boolean(true) }
        case .project(let values):
            result.values = try rows.values.map { row in try values.map { try value($0, row, rows) } }
            result.isDerived = true
        case .cross(let sets, let condition, let values):
            result.values = try cross(sets, condition, values, rows)
            result.isDerived = true
        case .join(let navigation, let links, let condition, let values):
            result.values = try join(navigation, links, condition, values, rows)
            result.isDerived = true
        case .compute(let values):
            result.values = try rows.values.map { row in row + (try values.map { try value($0, row, rows) }) }
        case .order(let keys, let skip, let top, let within):
            result.values = try groups(of: rows, within).flatMap { group in
                Array(try order(group, keys).values.dropFirst(skip).prefix(top ?? .max))
            }
        case .rank(let ranking, let amount, let by, let within):
            result.values = try groups(of: rows, within).flatMap { try rank(ranking, amount, by, $0) }
        case .group(let keys, let sets, let aggregates):
            result.values = try sets.flatMap { try group(keys, $0, aggregates, rows) }
            result.isDerived = true
        case .concat(let branches, _):
            result.values = try branches.flatMap { branch in
                var part = rows
                for step in branch.steps { part = try apply(step, part) }
                return part.values.map { row in branch.places.map { $0.map { row[$0] } ?? .null } }
            }
            result.isDerived = true
        }
        return result
    }

    /// The values of each row with each row of other sets, where the condition is true.
    private func cross(
        _ sets: [EntitySet],
        _ condition: TypedExpression?,
        _ values: [TypedExpression],
        _ rows: Rows
    ) throws -> [[Value]] {
        let own = try relations.schema.place(of: plan.set)
        var combined = rows.values.map { [relations.source(own, user: plan.user)($0)] }
        for set in sets {
            let place = try relations.schema.place(of: set)
            let others = try relations.rows(of: place).map(relations.source(place, user: plan.user))
            combined = combined.flatMap { before in others.map { before + [$0] } }
        }
        return try combined.compactMap { sources in
            guard let first = sources.first else { return nil }
            let evaluator = relations.evaluator(first, plan.user)
            if let condition, try evaluator.value(of: condition, across: sources) != .boolean(true) { return nil }
            return try values.map { try evaluator.value(of: $0, across: sources) }
        }
    }

    /// The values of each row with each of those that a navigation property leads to.
    private func join(
        _ navigation: Int,
        _ links: TypedExpression?,
        _ condition: TypedExpression?,
        _ values: [TypedExpression],
        _ rows: Rows
    ) throws -> [[Value]] {
        let own = try relations.schema.place(of: plan.set)
        return try rows.values.flatMap { row -> [[Value]] in
            var known: Set<[Value]> = []
            let source = relations.source(own, user: plan.user)(row)
            return try relations.related(navigation, of: own, to: row).compactMap { found -> [Value]? in
                if let link = found.link, let links {
                    let linkRow = relations.source(link.set, user: plan.user)(link.row)
                    guard try relations.evaluator(linkRow, plan.user).isTrue(links) else { return nil }
                }
                let key = relations.schema.model.sets[found.set].type.key.map { found.row[$0] }
                guard known.insert(key).inserted else { return nil }
                let sources = [source, relations.source(found.set, user: plan.user)(found.row)]
                let evaluator = relations.evaluator(source, plan.user)
                if let condition, try evaluator.value(of: condition, across: sources) != .boolean(true) { return nil }
                return try values.map { try evaluator.value(of: $0, across: sources) }
            }
        }
    }

    /// The rows apart by what they agree in; all of them where that is nothing.
    private func groups(of rows: Rows, _ within: [TypedExpression]) throws -> [Rows] {
        guard !within.isEmpty else { return [rows] }
        var places: [[Value]: Int] = [:]
        var groups: [Rows] = []
        for row in rows.values {
            let key = try within.map { try value($0, row, rows) }
            if let place = places[key] {
                groups[place].values.append(row)
            } else {
                places[key] = groups.count
                groups.append(Rows(values: [row], isDerived: rows.isDerived))
            }
        }
        return groups
    }

    private func rank(
        _ ranking: Transformation.Ranking,
        _ amount: Double,
        _ by: TypedExpression,
        _ rows: Rows
    ) throws -> [[Value]] {
        let isTop = ranking == .topCount || ranking == .topSum || ranking == .topPercent
        var present = rows
        present.values = try rows.values.filter { try value(by, $0, rows) != .null }
        let sorted = try order(present, [.init(by, isDescending: isTop)]).values
        if ranking == .topCount || ranking == .bottomCount {
            return Array(sorted.prefix(Int(exactly: amount.rounded(.down)) ?? .max))
        }
        let numbers = try sorted.map { row -> Double in
            guard case .double(let number)? = try value(by, row, rows).promoted(to: .double) else { return 0 }
            return number
        }
        let isShare = ranking == .topPercent || ranking == .bottomPercent
        let bound = isShare ? amount / 100 * numbers.reduce(0, +) : amount
        var before = 0.0
        return zip(sorted, numbers).filter { _, number in
            defer { before += number }
            return before < bound
        }.map(\.0)
    }

    // MARK: - Groups

    private func group(
        _ keys: [TypedExpression],
        _ kept: [Int],
        _ aggregates: [AggregationPlan.Aggregate],
        _ rows: Rows
    ) throws -> [[Value]] {
        var places: [[Value]: Int] = [:]
        var groups: [(key: [Value], rows: [[Value]])] = []
        if kept.isEmpty, !aggregates.isEmpty { groups.append((keys.map { _ in .null }, rows.values)) }
        for row in rows.values where !(kept.isEmpty && !aggregates.isEmpty) {
            let key = try keys.enumerated().map { kept.contains($0) ? try value($1, row, rows) : .null }
            if let place = places[key] {
                groups[place].rows.append(row)
            } else {
                places[key] = groups.count
                groups.append((key, [row]))
            }
        }
        return try groups.map { group in
            group.key + (try aggregates.map { try aggregate($0, group.rows, rows) })
        }
    }

    private func aggregate(
        _ aggregate: AggregationPlan.Aggregate,
        _ group: [[Value]],
        _ rows: Rows
    ) throws -> Value {
        guard let expression = aggregate.value else { return .integer(Int64(group.count)) }
        let values = try group.map { try value(expression, $0, rows) }.filter { $0 != .null }
        switch aggregate.method {
        case .count: return .integer(Int64(group.count))
        case .countDistinct: return Folding.countDistinct.value(of: values, as: aggregate.type)
        case .min: return Folding.min.value(of: values, as: aggregate.type)
        case .max: return Folding.max.value(of: values, as: aggregate.type)
        case .sum: return Folding.sum.value(of: values, as: aggregate.type)
        case .average: return Folding.average.value(of: values, as: aggregate.type)
        }
    }
}

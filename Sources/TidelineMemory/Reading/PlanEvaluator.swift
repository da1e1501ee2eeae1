// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Runs one read plan over one version: filter, order, page, push.
struct PlanEvaluator {
    let relations: MemoryRelations
    let hasher: ETagHasher

    private struct Row {
        var values: [Value]
        var order: [Value]
    }

    /// Pushes one page of a plan.
    func page(_ plan: ReadPlan, into sink: any RowSink) throws -> PageEnd {
        let set = try relations.schema.place(of: plan.set)
        return try run(plan, set, relations.rows(of: set, from: plan.source), into: sink).end
    }

    /// The number of rows that match a plan's filter.
    func count(_ plan: ReadPlan) throws -> Int {
        let set = try relations.schema.place(of: plan.set)
        return try matching(plan, set, relations.rows(of: set, from: plan.source)).count
    }

    private func matching(_ plan: ReadPlan, _ set: Int, _ rows: [[Value]]) throws -> [[Value]] {
        guard let filter = plan.filter else { return rows }
        let source = relations.source(set, user: plan.user)
        return try rows.filter { try relations.evaluator(source($0), plan.user).isTrue(filter) }
    }

    private func run(
        _ plan: ReadPlan,
        _ set: Int,
        _ candidates: [[Value]],
        into sink: any RowSink
    ) throws -> (end: PageEnd, bytes: Int) {
        let keys = plan.completeOrder
        let order = RowOrder(isDescending: keys.map(\.isDescending), collations: keys.map(\.collation))
        let source = relations.source(set, user: plan.user)
        var rows = try matching(plan, set, candidates).map { values in
            let evaluator = relations.evaluator(source(values), plan.user)
            return Row(values: values, order: try keys.map { try evaluator.value(of: $0.expression) })
        }
        if let after = plan.after { rows.removeAll { order.compare($0.order, after) <= 0 } }
        rows.sort { order.compare($0.order, $1.order) < 0 }
        let wanted = rows.dropFirst(plan.skip).prefix(plan.top ?? .max)

        var output = RowOutput(sink)
        var nested = 0
        var pushed = 0
        for row in wanted {
            sink.beginRow()
            for place in plan.columns { output.push(row.values[place]) }
            if !plan.computed.isEmpty {
                let evaluator = relations.evaluator(source(row.values), plan.user)
                for expression in plan.computed { output.push(try evaluator.value(of: expression)) }
            }
            for (place, expansion) in plan.expansions.enumerated() {
                nested += try expand(expansion, at: place, of: plan.set, row.values, into: sink)
            }
            sink.endRow(etag: plan.includesETag ? hasher.etag(of: row.values) : nil)
            pushed += 1
            let bytes = output.bytes + nested
            if pushed >= plan.pageLimit.rows || bytes >= plan.pageLimit.bytes {
                let end = PageEnd(rows: pushed, continuation: pushed < wanted.count ? row.order : nil)
                return (end, bytes)
            }
        }
        return (PageEnd(rows: pushed, continuation: nil), output.bytes + nested)
    }

    /// The rows found, each once, without those whose link rows are all hidden.
    private func linked(_ expansion: ReadPlan.Expansion, _ found: [MemoryRelations.Related]) throws -> [[Value]] {
        let type = expansion.plan.set.type
        let user = expansion.plan.user
        var known: Set<[Value]> = []
        return try found.filter { item in
            if let link = item.link, let filter = expansion.linkFilter {
                let source = relations.source(link.set, user: user)(link.row)
                guard try relations.evaluator(source, user).isTrue(filter) else { return false }
            }
            return known.insert(type.key.map { item.row[$0] }).inserted
        }.map(\.row)
    }

    /// Pushes the related entities of a row.
    ///
    /// - Returns: the bytes pushed.
    private func expand(
        _ expansion: ReadPlan.Expansion,
        at place: Int,
        of parent: EntitySet,
        _ row: [Value],
        into sink: any RowSink
    ) throws -> Int {
        let target = try relations.schema.place(of: expansion.plan.set)
        let owner = try relations.schema.place(of: parent)
        let candidates = try linked(expansion, relations.related(expansion.navigation, of: owner, to: row))
        sink.beginExpansion(place)
        let (end, bytes) = try run(expansion.plan, target, candidates, into: sink)
        if let place = end.continuation { sink.moreFollow(after: place) }
        let count = expansion.includesCount ? try matching(expansion.plan, target, candidates).count : nil
        sink.endExpansion(place, count: count)
        return bytes
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Parts of ordered rows.
extension AggregationBuilder {
    /// The columns of a source, without those that number or mark its rows where these are known.
    private func columns(_ source: Source) -> SQLFragment {
        guard source.isDerived else { return "t0.*" }
        let names = source.set.type.properties.map { SQLFragment(raw: "t0.\($0.names.database)") }
        return SQLFragment(names, separator: ", ")
    }

    private mutating func mark() -> SQLFragment {
        defer { marks += 1 }
        return SQLFragment(raw: "tideline_mark\(marks)")
    }

    /// `PARTITION BY …` with a blank, or nothing.
    private func partition(_ within: [TypedExpression], _ compiler: inout SQLCompiler<Dialect>) -> SQLFragment {
        guard !within.isEmpty else { return "" }
        let keys = within.map { compiler.groupKey($0) }
        return "PARTITION BY \(SQLFragment(keys, separator: ", ")) "
    }

    /// The rows from one place in an order to another, of each group.
    mutating func window(
        _ keys: [ReadPlan.SortKey],
        skip: Int,
        top: Int?,
        _ within: [TypedExpression],
        _ source: Source
    ) -> SQLFragment {
        var compiler = compiler(source)
        let order = terms(keys + tieBreak(source), &compiler)
        guard !within.isEmpty else {
            return "(SELECT t0.* FROM \(compiler.from) ORDER BY \(order)" + dialect.limit(top, skip: skip) + ")"
        }
        return numbered(source, order, within, from: skip, count: top, nil, &compiler)
    }

    private mutating func numbered(
        _ source: Source,
        _ order: SQLFragment,
        _ within: [TypedExpression],
        from skip: Int,
        count: Int?,
        _ condition: SQLFragment?,
        _ compiler: inout SQLCompiler<Dialect>
    ) -> SQLFragment {
        let mark = mark()
        let partition = partition(within, &compiler)
        let test: SQLFragment = condition.map { " WHERE \($0)" } ?? ""
        let inner: SQLFragment =
            "SELECT \(columns(source)), ROW_NUMBER() OVER (\(partition)ORDER BY \(order)) AS \(mark) FROM \(compiler.from)\(test)"
        var bounds: [SQLFragment] = ["\(mark) > \(bind: .integer(Int64(skip)))"]
        if let count {
            let (end, isBeyond) = Int64(skip).addingReportingOverflow(Int64(count))
            bounds.append("\(mark) <= \(bind: .integer(isBeyond ? .max : end))")
        }
        return "(SELECT * FROM (\(inner)) AS r WHERE \(SQLFragment(bounds, separator: " AND ")))"
    }

    /// The first rows by a value, null last.
    mutating func rank(
        _ ranking: Transformation.Ranking,
        _ amount: Double,
        _ by: TypedExpression,
        _ within: [TypedExpression],
        _ source: Source
    ) -> SQLFragment {
        var compiler = compiler(source)
        let isTop = ranking == .topCount || ranking == .topSum || ranking == .topPercent
        let order = terms([.init(by, isDescending: isTop)] + tieBreak(source), &compiler)
        let present = compiler.condition(
            TypedExpression(
                node: .binary(.notEqual, by, TypedExpression(node: .literal(.null), type: nil)),
                type: .boolean
            )
        ).sql
        guard ranking != .topCount, ranking != .bottomCount else {
            let count = Int(exactly: amount.rounded(.down)) ?? .max
            guard within.isEmpty else {
                return numbered(source, order, within, from: 0, count: count, present, &compiler)
            }
            let limit = dialect.limit(count, skip: 0)
            return "(SELECT t0.* FROM \(compiler.from) WHERE \(present) ORDER BY \(order)" + limit + ")"
        }
        let value = compiler.real(by)
        let partition = partition(within, &compiler)
        let before: SQLFragment =
            "COALESCE(SUM(\(value)) OVER (\(partition)ORDER BY \(order) ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)"
        let isShare = ranking == .topPercent || ranking == .bottomPercent
        let bound: SQLFragment =
            isShare
            ? "\(bind: .real(amount / 100)) * SUM(\(value)) OVER (\(partition))" : "\(bind: .real(amount))"
        let mark = mark()
        let inner: SQLFragment =
            "SELECT \(columns(source)), CASE WHEN \(before) < \(bound) THEN 1 ELSE 0 END AS \(mark) FROM \(compiler.from) WHERE \(present)"
        return "(SELECT * FROM (\(inner)) AS r WHERE \(mark) = 1)"
    }
}

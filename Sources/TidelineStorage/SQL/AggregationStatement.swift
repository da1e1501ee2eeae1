// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// A compiled `$apply`: each step is a SELECT over the one before.
///
///     SELECT c0, c1 FROM (SELECT k AS c0, SUM(v) AS c1 FROM (SELECT t0.* FROM orders AS t0 WHERE …) AS t0
///                         GROUP BY 1) AS t0 ORDER BY …
///
/// Entities keep the columns of their table, so that paths join as ever; rows have columns `c0`, `c1`, … in the form of
/// computed values.
package struct AggregationStatement: Hashable, Sendable {
    package var text: String
    package var bindings: [SQLValue]
    /// The types of the result columns.
    package var types: [PrimitiveType]

    /// Compiles a plan.
    package init(_ plan: AggregationPlan, dialect: some SQLDialect) {
        var builder = AggregationBuilder(plan: plan, dialect: dialect)
        let sql = builder.statement()
        (text, bindings) = sql.rendered(dialect)
        types = plan.columns.map { $0.type ?? .string }
    }

    /// The value of a result column; null for what has another form than its type.
    package func value(_ stored: SQLValue, _ column: Int) -> Value {
        Value(computedSQL: stored, type: types[column]) ?? .null
    }
}

private struct AggregationBuilder<Dialect: SQLDialect> {
    let plan: AggregationPlan
    let dialect: Dialect

    /// Rows on their way.
    private struct Source {
        /// The subquery in parentheses, `nil` for the table itself.
        var sql: SQLFragment?
        var set: EntitySet
        var isDerived: Bool
    }

    mutating func statement() -> SQLFragment {
        var source = Source(sql: nil, set: plan.set, isDerived: false)
        if let restriction = plan.restriction {
            source.sql = "(SELECT t0.* FROM \(dialect.table(plan.set)) AS t0 WHERE \(restriction))"
        }
        if let filter = plan.filter {
            var compiler = compiler(source)
            let test = compiler.condition(filter).sql
            source.sql = "(SELECT t0.* FROM \(compiler.from) WHERE \(test)\(plan.isFenced ? dialect.barrier : ""))"
        }
        for step in plan.steps { source = apply(step, source) }
        source.set = plan.result
        var compiler = compiler(source)
        let whole = plan.columns.indices.map { place in
            ReadPlan.SortKey(TypedExpression(node: .path(.init(property: place)), type: plan.columns[place].type))
        }
        let order = terms(plan.orderBy + whole, &compiler)
        let columns = plan.columns.indices.map { SQLFragment(raw: "t0.c\($0)") }
        return "SELECT \(SQLFragment(columns, separator: ", ")) FROM \(compiler.from) ORDER BY \(order)"
            + dialect.limit(plan.top, skip: plan.skip)
    }

    private func compiler(_ source: Source) -> SQLCompiler<Dialect> {
        var compiler = SQLCompiler(
            model: plan.model,
            set: source.set,
            user: plan.user,
            dialect: dialect,
            isDerived: source.isDerived
        )
        compiler.source = source.sql
        return compiler
    }

    private func terms(_ keys: [ReadPlan.SortKey], _ compiler: inout SQLCompiler<Dialect>) -> SQLFragment {
        var terms: [SQLFragment] = []
        for key in keys {
            let term = compiler.term(key)
            terms.append(
                dialect.orderTerm(term.sort, isDescending: key.isDescending, isNullable: term.operand.isNullable)
            )
        }
        return SQLFragment(terms, separator: ", ")
    }

    /// The keys of the entity, or all columns: so that an order is always the same.
    private func tieBreak(_ source: Source) -> [ReadPlan.SortKey] {
        let places = source.isDerived ? Array(source.set.type.properties.indices) : source.set.type.key
        return places.map { place in
            ReadPlan.SortKey(
                TypedExpression(node: .path(.init(property: place)), type: source.set.type.properties[place].type)
            )
        }
    }

    private mutating func apply(_ step: AggregationPlan.Step, _ source: Source) -> Source {
        var compiler = compiler(source)
        var result = source
        switch step {
        case .filter(let condition):
            let test = compiler.condition(condition).sql
            result.sql = "(SELECT t0.* FROM \(compiler.from) WHERE \(test))"
        case .project(let values):
            let columns = values.enumerated().map { place, value in named(compiler.value(value), place) }
            result = rows(values)
            result.sql = "(SELECT \(SQLFragment(columns, separator: ", ")) FROM \(compiler.from))"
        case .cross(let sets, let condition, let values):
            let scope = compiler.crossing(sets)
            let columns = values.enumerated().map { place, value in named(compiler.value(value, in: scope), place) }
            let test = condition.map { compiler.condition($0, in: scope).grouped }
            result = rows(values)
            let select: SQLFragment = "SELECT \(SQLFragment(columns, separator: ", ")) FROM \(compiler.from)"
            let barrier: SQLFragment = plan.isFenced ? "\(dialect.barrier)" : ""
            result.sql = test.map { "(\(select) WHERE \($0)\(barrier))" } ?? "(\(select)\(barrier))"
        case .compute(let values):
            let before = source.set.type.properties.count
            let columns = values.enumerated().map { place, value in named(compiler.value(value), before + place) }
            let old = (0..<before).map { SQLFragment(raw: "t0.c\($0)") }
            result.set.type.properties += rows(values, from: before).set.type.properties
            result.sql = "(SELECT \(SQLFragment(old + columns, separator: ", ")) FROM \(compiler.from))"
        case .order(let keys, let skip, let top):
            let order = terms(keys + tieBreak(source), &compiler)
            result.sql =
                "(SELECT t0.* FROM \(compiler.from) ORDER BY \(order)" + dialect.limit(top, skip: skip) + ")"
        case .rank(let ranking, let amount, let by): result.sql = rank(ranking, amount, by, source)
        case .group(let keys, let sets, let aggregates): result = group(keys, sets, aggregates, source)
        case .concat(let branches, let types): result = concat(branches, types, source)
        }
        return result
    }

    private func named(_ sql: SQLFragment, _ place: Int) -> SQLFragment { "\(sql) AS \(SQLFragment(raw: "c\(place)"))" }

    private func rows(_ values: [TypedExpression], from start: Int = 0) -> Source {
        let columns = values.map {
            AggregationPlan.Column(path: [], type: $0.type, enumeration: $0.enumeration, structure: $0.structure)
        }
        return rows(columns, from: start)
    }

    private func rows(_ columns: [AggregationPlan.Column], from start: Int = 0) -> Source {
        var set = AggregationPlan.derived(columns)
        for place in set.type.properties.indices { set.type.properties[place].names.database = "c\(start + place)" }
        return Source(sql: nil, set: set, isDerived: true)
    }

    // MARK: - Groups

    private mutating func group(
        _ keys: [TypedExpression],
        _ sets: [[Int]],
        _ aggregates: [AggregationPlan.Aggregate],
        _ source: Source
    ) -> Source {
        var selects: [SQLFragment] = []
        for set in sets {
            var compiler = compiler(source)
            var columns: [SQLFragment] = []
            for (place, key) in keys.enumerated() {
                guard set.contains(place) else {
                    columns.append(named(compiler.constant(.null, type: key.type ?? .string).sql, place))
                    continue
                }
                columns.append(named(compiler.groupKey(key), place))
            }
            for (place, aggregate) in aggregates.enumerated() {
                columns.append(named(compiler.aggregate(aggregate), keys.count + place))
            }
            var sql: SQLFragment = "SELECT \(SQLFragment(columns, separator: ", ")) FROM \(compiler.from)"
            if !set.isEmpty {
                let places = set.map { SQLFragment(raw: String($0 + 1)) }
                sql = "\(sql) GROUP BY \(SQLFragment(places, separator: ", "))"
            } else if aggregates.isEmpty {
                sql = "\(sql) LIMIT 1"
            }
            selects.append(selects.isEmpty && sets.count == 1 ? sql : "SELECT * FROM (\(sql)) AS u")
        }
        let columns =
            keys.map { AggregationPlan.Column(path: [], type: $0.type, enumeration: $0.enumeration) }
            + aggregates.map { AggregationPlan.Column(path: [], type: $0.type) }
        var result = rows(columns)
        result.sql = "(\(SQLFragment(selects, separator: " UNION ALL ")))"
        return result
    }

    private mutating func concat(
        _ branches: [(steps: [AggregationPlan.Step], places: [Int?])],
        _ types: [PrimitiveType?],
        _ source: Source
    ) -> Source {
        var selects: [SQLFragment] = []
        for branch in branches {
            var rows = source
            for step in branch.steps { rows = apply(step, rows) }
            let compiler = compiler(rows)
            let columns = branch.places.enumerated().map { place, column in
                named(
                    column.map { SQLFragment(raw: "t0.c\($0)") }
                        ?? compiler.constant(.null, type: types[place] ?? .string).sql,
                    place
                )
            }
            selects.append("SELECT \(SQLFragment(columns, separator: ", ")) FROM \(compiler.from)")
        }
        var result = rows(types.map { AggregationPlan.Column(path: [], type: $0) })
        result.sql = "(\(SQLFragment(selects, separator: " UNION ALL ")))"
        return result
    }

    // MARK: - Ranks

    /// The first rows by a value, null last.
    private mutating func rank(
        _ ranking: Transformation.Ranking,
        _ amount: Double,
        _ by: TypedExpression,
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
            let count = dialect.limit(Int(exactly: amount.rounded(.down)) ?? .max, skip: 0)
            return "(SELECT t0.* FROM \(compiler.from) WHERE \(present) ORDER BY \(order)" + count + ")"
        }
        let value = compiler.real(by)
        let before: SQLFragment =
            "COALESCE(SUM(\(value)) OVER (ORDER BY \(order) ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)"
        let isShare = ranking == .topPercent || ranking == .bottomPercent
        let bound: SQLFragment =
            isShare ? "\(bind: .real(amount / 100)) * SUM(\(value)) OVER ()" : "\(bind: .real(amount))"
        let columns =
            source.isDerived
            ? SQLFragment(
                source.set.type.properties.map { SQLFragment(raw: "t0.\($0.names.database)") },
                separator: ", "
            )
            : "t0.*"
        let inner: SQLFragment =
            "SELECT \(columns), CASE WHEN \(before) < \(bound) THEN 1 ELSE 0 END AS tideline_kept FROM \(compiler.from) WHERE \(present)"
        return "(SELECT * FROM (\(inner)) AS r WHERE tideline_kept = 1)"
    }
}

extension SQLFragment {
    fileprivate static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment { "\(left)\(right)" }
}

extension SQLCompiler {
    /// A value as it is grouped by.
    mutating func groupKey(_ key: TypedExpression) -> SQLFragment {
        if key.isNullLiteral { return constant(.null, type: .string).sql }
        return comparable(computed(key, in: root)).sql
    }

    /// A number as a floating-point number.
    mutating func real(_ value: TypedExpression) -> SQLFragment {
        computed(value.type == .double ? value : TypedExpression(node: .promote(value), type: .double), in: root).sql
    }

    mutating func aggregate(_ aggregate: AggregationPlan.Aggregate) -> SQLFragment {
        guard let expression = aggregate.value else { return "COUNT(*)" }
        let operand = computed(expression, in: root)
        return switch aggregate.method {
        case .count: "COUNT(*)"
        case .countDistinct: folded(.countDistinct, operand)
        case .min: folded(.min, operand)
        case .max: folded(.max, operand)
        case .sum: folded(.sum, operand)
        case .average: folded(.average, operand)
        }
    }
}

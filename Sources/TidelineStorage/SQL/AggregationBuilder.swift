// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Puts the statement of a plan together, step by step.
struct AggregationBuilder<Dialect: SQLDialect> {
    let plan: AggregationPlan
    let dialect: Dialect
    /// How many columns there are that number or mark rows.
    var marks = 0

    init(plan: AggregationPlan, dialect: Dialect) {
        self.plan = plan
        self.dialect = dialect
    }

    /// Rows on their way.
    struct Source {
        /// The subquery in parentheses, `nil` for the table itself.
        var sql: SQLFragment?
        var set: EntitySet
        var isDerived: Bool
    }

    mutating func statement() -> SQLFragment {
        var source = rows()
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

    /// The table of the entities that are left, named `t0`.
    mutating func entities() -> SQLFragment { compiler(rows()).from }

    /// What all steps make.
    private mutating func rows() -> Source {
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
        return source
    }

    func compiler(_ source: Source) -> SQLCompiler<Dialect> {
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

    func terms(_ keys: [ReadPlan.SortKey], _ compiler: inout SQLCompiler<Dialect>) -> SQLFragment {
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
    func tieBreak(_ source: Source) -> [ReadPlan.SortKey] {
        let places = source.isDerived ? Array(source.set.type.properties.indices) : source.set.type.key
        return places.map { place in
            ReadPlan.SortKey(
                TypedExpression(node: .path(.init(property: place)), type: source.set.type.properties[place].type)
            )
        }
    }

    mutating func apply(_ step: AggregationPlan.Step, _ source: Source) -> Source {
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
        case .join(let navigation, let links, let condition, let values):
            let scope = compiler.following(navigation, where: links)
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
        case .order(let keys, let skip, let top, let within):
            result.sql = window(keys, skip: skip, top: top, within, source)
        case .rank(let ranking, let amount, let by, let within):
            result.sql = rank(ranking, amount, by, within, source)
        case .group(let keys, let sets, let aggregates): result = group(keys, sets, aggregates, source)
        case .concat(let branches, let types): result = concat(branches, types, source)
        }
        return result
    }

    func named(_ sql: SQLFragment, _ place: Int) -> SQLFragment { "\(sql) AS \(raw: "c\(place)")" }

    func rows(_ values: [TypedExpression], from start: Int = 0) -> Source {
        let columns = values.map {
            AggregationPlan.Column(path: [], type: $0.type, enumeration: $0.enumeration, structure: $0.structure)
        }
        return rows(columns, from: start)
    }

    func rows(_ columns: [AggregationPlan.Column], from start: Int = 0) -> Source {
        var set = AggregationPlan.derived(columns)
        for place in set.type.properties.indices { set.type.properties[place].names.database = "c\(start + place)" }
        return Source(sql: nil, set: set, isDerived: true)
    }

    // MARK: - Groups

    mutating func group(
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

    mutating func concat(
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
}

extension SQLFragment {
    static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment { "\(left)\(right)" }
}

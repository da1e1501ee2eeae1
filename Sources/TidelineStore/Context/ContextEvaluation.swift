// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Expressions over the objects of a context, evaluated in memory with the meaning that they have in the store.
struct ContextEvaluation {
    let context: EditingContext
    let user: UserContext
    private let now: DateTimeOffset

    init(_ context: EditingContext, user: UserContext = .anonymous) throws {
        self.context = context
        self.user = user
        let seconds = try context.store.reading { try $0.integer("SELECT CAST(strftime('%s', 'now') AS INTEGER)") }
        now = DateTimeOffset(seconds: seconds)
    }

    func value(of expression: TypedExpression, _ row: ManagedRow) throws -> Value {
        try ExpressionEvaluator(source: ContextSource(row: row, user: user), user: user, now: now).value(of: expression)
    }

    func isTrue(_ condition: TypedExpression, _ row: ManagedRow) throws -> Bool {
        try value(of: condition, row) == .boolean(true)
    }

    /// The rows in the order of a plan, those with the same place by their keys.
    func sorted(_ rows: [ManagedRow], by plan: ReadPlan) throws -> [ManagedRow] {
        let keys = plan.completeOrder
        let order = RowOrder(isDescending: keys.map(\.isDescending), collations: keys.map(\.collation))
        let keyed = try rows.map { row in (row: row, keys: try keys.map { try value(of: $0.expression, row) }) }
        return keyed.sorted { left, right in
            let result = order.compare(left.keys, right.keys)
            return result == 0 ? EditingContext.isBefore(left.row, right.row) : result < 0
        }.map(\.row)
    }
}

/// An object of a context as expressions see it.
private struct ContextSource: PropertySource {
    let row: ManagedRow
    let user: UserContext

    func value(at path: TypedExpression.Path) throws -> Value {
        var row = row
        for (step, navigation) in path.navigations.enumerated() {
            guard let next = try row.related(row.type.navigationProperties[navigation]).first,
                try satisfies(next, path.guards, step)
            else { return .null }
            row = next
        }
        return try row.orderedValues[path.property]
    }

    func entities(at way: TypedExpression.Way) throws -> [any PropertySource] {
        var rows = [row]
        for (step, navigation) in way.navigations.enumerated() {
            rows = try rows.flatMap { row in
                try row.related(row.type.navigationProperties[navigation]).filter {
                    try satisfies($0, way.guards, step)
                }
            }
        }
        return rows.map { ContextSource(row: $0, user: user) }
    }

    func entities(of set: String) throws -> [any PropertySource] {
        let context = try row.openContext()
        let plan = ReadPlan(model: context.model, set: try context.set(set).layout.set)
        return try context.fetch(plan).map { ContextSource(row: $0, user: user) }
    }

    private func satisfies(_ row: ManagedRow, _ guards: [TypedExpression?], _ step: Int) throws -> Bool {
        guard step < guards.count, let condition = guards[step] else { return true }
        return try ExpressionEvaluator(source: ContextSource(row: row, user: user), user: user).isTrue(condition)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The rows of one version and the ways between them.
struct MemoryRelations: Sendable {
    let schema: MemorySchema
    let version: MemoryVersion
    let now: DateTimeOffset

    /// All rows of a set, those of a view made from its source; in no order.
    func rows(of set: Int) throws -> [[Value]] {
        guard let view = view(set) else { return Array(version.tables[set].all) }
        let source = source(view.place, user: .anonymous)
        return try version.tables[view.place].all.filter { row in
            guard let filter = view.rule.filter else { return true }
            return try evaluator(source(row), .anonymous).isTrue(filter)
        }.map { row in view.rule.columns.map { row[$0] } }
    }

    /// The rows of a set that have these values, in the order of their keys.
    func rows(of set: Int, _ columns: [Int], _ values: [Value]) throws -> [[Value]] {
        guard view(set) == nil else {
            return try rows(of: set).filter { row in columns.map { row[$0] } == values }
        }
        let type = schema.model.sets[set].type
        if columns == type.key { return version.tables[set][Key(values)].map { [$0.values] } ?? [] }
        let order = RowOrder(isDescending: type.key.map { _ in false })
        return version.tables[set].keys(columns, values).sorted { order.compare($0.values, $1.values) < 0 }
            .compactMap { version.tables[set][$0]?.values }
    }

    /// The row of a key, or `nil`.
    func row(_ key: Key, of set: Int) throws -> [Value]? {
        guard view(set) == nil else { return try rows(of: set, schema.model.sets[set].type.key, key.values).first }
        return version.tables[set][key]?.values
    }

    private func view(_ set: Int) -> (place: Int, rule: MemoryRules.View)? {
        guard let rule = schema.rules.views[schema.model.sets[set].names.wire],
            let place = schema.model.setIndex(wire: rule.source)
        else { return nil }
        return (place, rule)
    }

    /// What makes rows of a set into something that expressions are evaluated over.
    func source(_ set: Int, user: UserContext) -> ([Value]) -> EntitySource {
        { row in entity(row, of: set, user: user) }
    }

    private func entity(_ row: [Value], of set: Int, user: UserContext) -> EntitySource {
        EntitySource(row, user: user) { navigation, values in
            let property = schema.model.sets[set].type.navigationProperties[navigation]
            guard let target = schema.model.setIndex(wire: property.targetSet),
                let key = MemoryTable.values(values, property.constraints.map(\.source))
            else { return nil }
            let found = try rows(of: target, property.constraints.map(\.target), key)
            return found.first.map { entity($0, of: target, user: user) }
        }
    }

    func evaluator(_ source: EntitySource, _ user: UserContext) -> ExpressionEvaluator<EntitySource> {
        ExpressionEvaluator(source: source, user: user, now: now)
    }
}

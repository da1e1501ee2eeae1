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

    /// The rows of a set that a source stands for; this store calls no functions itself.
    func rows(of set: Int, from source: RowSource?) throws -> [[Value]] {
        switch source {
        case nil: return try rows(of: set)
        case .keys(let keys):
            let wanted = Set(keys)
            let key = schema.model.sets[set].type.key
            return try rows(of: set).filter { row in wanted.contains(Key(key.map { row[$0] })) }
        case .subset(let plan): return try AggregationEvaluator(relations: self, plan: plan).entities()
        case .function(let call):
            throw StorageError(
                .unsupported,
                message: "This store does not run the function \(call.operation.names.wire)."
            )
        }
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
        EntitySource(
            row,
            user: user,
            related: { navigation, values in
                try linked(navigation, of: set, values, user: user).first?.entity
            },
            collection: { navigation, values in try linked(navigation, of: set, values, user: user) },
            all: { name in
                guard let place = schema.model.setIndex(wire: name) else { return [] }
                return try rows(of: place).map { entity($0, of: place, user: user) }
            }
        )
    }

    private func linked(
        _ navigation: Int,
        of set: Int,
        _ row: [Value],
        user: UserContext
    ) throws -> [EntitySource.Linked] {
        try related(navigation, of: set, to: row).map { found in
            EntitySource.Linked(
                entity(found.row, of: found.set, user: user),
                link: found.link.map { entity($0.row, of: $0.set, user: user) }
            )
        }
    }

    /// A row that a navigation property leads to, with the link row between where it is many-to-many.
    struct Related {
        var set: Int
        var row: [Value]
        var link: (set: Int, row: [Value])?
    }

    /// The rows that a navigation property of a row leads to, in the order of their keys or of the link rows' keys.
    func related(_ navigation: Int, of set: Int, to row: [Value]) throws -> [Related] {
        let property = schema.model.sets[set].type.navigationProperties[navigation]
        guard let target = schema.model.setIndex(wire: property.targetSet) else { return [] }
        guard let link = property.link else {
            return try follow(property, to: target, from: row).map { Related(set: target, row: $0) }
        }
        guard let place = schema.model.setIndex(wire: link.set) else { return [] }
        let type = schema.model.sets[place].type
        guard let owner = type.navigationIndex(wire: link.toOwner),
            let other = type.navigationIndex(wire: link.toTarget),
            let key = MemoryTable.values(row, type.navigationProperties[owner].constraints.map(\.target))
        else { return [] }
        return try rows(of: place, type.navigationProperties[owner].constraints.map(\.source), key).flatMap { linkRow in
            try follow(type.navigationProperties[other], to: target, from: linkRow).map {
                Related(set: target, row: $0, link: (place, linkRow))
            }
        }
    }

    private func follow(_ property: NavigationProperty, to target: Int, from row: [Value]) throws -> [[Value]] {
        guard let key = MemoryTable.values(row, property.constraints.map(\.source)) else { return [] }
        return try rows(of: target, property.constraints.map(\.target), key)
    }

    func evaluator(_ source: EntitySource, _ user: UserContext) -> ExpressionEvaluator<EntitySource> {
        ExpressionEvaluator(source: source, user: user, now: now)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Relationships of many to many: each is an object of the set between the two, like any other of its set.
extension ManagedRow {
    /// The objects at the other end, each once, in the order of their keys.
    func linked(by link: LinkTable) throws -> [ManagedRow] {
        let ways = try LinkWays(link, openContext())
        var seen: Set<ManagedRow> = []
        return try links(ways).flatMap { try $0.related(ways.toTarget) }.filter { seen.insert($0).inserted }
            .sorted { EditingContext.isBefore($0, $1) }
    }

    /// Ties another object to this one, unless it is tied already.
    func link(_ other: ManagedRow, by link: LinkTable) throws {
        let ways = try LinkWays(link, openContext())
        let values = try ways.values(self, other)
        guard try !links(ways).contains(where: { $0.has(values) }) else { return }
        let context = try openContext()
        let type = ways.between.type
        // What is there and was to be deleted stays: its key is taken until the save.
        let isKeyed = Set(type.key).isSubset(of: values.keys)
        if isKeyed,
            let deleted = context.changed[ways.between.index].values.first(where: {
                $0.presence == .deleted && $0.has(values)
            })
        {
            return try context.revert(deleted)
        }
        let named = values.map { (type.properties[$0.key].names.wire, $0.value) }
        try context.insert(Dictionary(uniqueKeysWithValues: named), into: link.set)
    }

    /// Deletes what ties another object to this one.
    func unlink(_ other: ManagedRow, by link: LinkTable) throws {
        let ways = try LinkWays(link, openContext())
        let values = try ways.values(self, other)
        let context = try openContext()
        try context.group {
            for row in try links(ways) where row.has(values) { try context.delete(row) }
        }
    }

    /// The objects between that lead to this one.
    private func links(_ ways: LinkWays) throws -> [ManagedRow] {
        let context = try currentContext()
        let own = ways.toOwner.constraints.map { values[$0.target] }
        if own.contains(.null) { return [] }
        return try context.rows(ways.between, where: ways.toOwner.constraints.map(\.source), are: own)
    }

    private func has(_ given: [Int: Value]) -> Bool { given.allSatisfy { values[$0.key] == $0.value } }
}

/// The set between the two ends of a many-to-many relationship, and its ways to them.
private struct LinkWays {
    let between: ContextSet
    let toOwner: NavigationProperty
    let toTarget: NavigationProperty

    init(_ link: LinkTable, _ context: EditingContext) throws {
        between = try context.set(link.set)
        toOwner = try between.navigation(link.toOwner)
        toTarget = try between.navigation(link.toTarget)
    }

    /// The foreign keys of an object between two others, by place.
    ///
    /// - Throws: ``LocalStoreError/Code/invalidKey`` for an end that has no key yet,
    ///   ``LocalStoreError/Code/invalidValue`` for two ends that a column of both foreign keys keeps apart.
    func values(_ owner: ManagedRow, _ target: ManagedRow) throws -> [Int: Value] {
        var values: [Int: Value] = [:]
        for (row, way) in [(owner, toOwner), (target, toTarget)] {
            for (pair, value) in zip(way.constraints, try row.keyValues(way.constraints.map(\.target))) {
                guard values[pair.source] ?? value == value else {
                    throw LocalStoreError(
                        .invalidValue,
                        set: between.name,
                        properties: between.layout.names([pair.source]),
                        message: "An object of '\(between.name)' cannot lead to both: they differ in what it has once."
                    )
                }
                values[pair.source] = value
            }
        }
        return values
    }
}

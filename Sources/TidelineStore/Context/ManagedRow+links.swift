// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Relationships of many to many: each is an object of the set between the two, like any other of its set.
extension ManagedRow {
    /// The objects at the other end, in the order of their keys.
    func linked(by link: LinkTable) throws -> [ManagedRow] {
        let (rows, _, toTarget) = try links(link)
        return try rows.flatMap { try $0.related(toTarget) }.sorted { EditingContext.isBefore($0, $1) }
    }

    /// Ties another object to this one, unless it is tied already.
    func link(_ other: ManagedRow, by link: LinkTable) throws {
        let (rows, toOwner, toTarget) = try links(link)
        guard try !rows.contains(where: { try $0.related(toTarget).contains(other) }) else { return }
        let context = try openContext()
        let between = try context.set(link.set)
        var values: [String: Value] = [:]
        for (row, way) in [(self, toOwner), (other, toTarget)] {
            for (constraint, value) in zip(way.constraints, try row.keyValues(way.constraints.map(\.target))) {
                values[between.type.properties[constraint.source].names.wire] = value
            }
        }
        try context.insert(values, into: link.set)
    }

    /// Deletes what ties another object to this one.
    func unlink(_ other: ManagedRow, by link: LinkTable) throws {
        let (rows, _, toTarget) = try links(link)
        let context = try openContext()
        try context.group {
            for row in rows where try row.related(toTarget).contains(other) { try context.delete(row) }
        }
    }

    /// The objects between that lead to this one, and their ways to both ends.
    private func links(
        _ link: LinkTable
    ) throws -> (rows: [ManagedRow], toOwner: NavigationProperty, toTarget: NavigationProperty) {
        let context = try currentContext()
        let between = try context.set(link.set)
        let toOwner = try between.navigation(link.toOwner)
        let toTarget = try between.navigation(link.toTarget)
        let own = toOwner.constraints.map { values[$0.target] }
        if own.contains(.null) { return ([], toOwner, toTarget) }
        return (try context.rows(between, where: toOwner.constraints.map(\.source), are: own), toOwner, toTarget)
    }
}

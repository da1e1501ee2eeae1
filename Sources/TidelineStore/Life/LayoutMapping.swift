// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// One entity set of the new arrangement that has its rows from a set of the old one.
struct MappedSet {
    let old: SetLayout
    let new: SetLayout
    /// Whether the rows are the old ones, and not split off from them.
    let isPrimary: Bool
    /// For each new column, where its values are from.
    let sources: [ValueSource]

    /// Whether the old table can stay, with columns renamed, added and dropped.
    var staysInPlace: Bool {
        isPrimary && new.columns.allSatisfy { !isConverted($0.place) }
            && new.key.map { sources[$0].place } == old.key.map(Optional.some)
    }

    /// Whether the stored form of a column is another one.
    func isConverted(_ place: Int) -> Bool {
        guard let from = sources[place].place else { return false }
        guard sources[place].conversions.isEmpty else { return true }
        let (a, b) = (old.rules[from], new.rules[place])
        let hasScale = a.form == .decimalScaled || a.form == .time || a.form == .moment
        return a.form != b.form || hasScale && a.scale != b.scale
    }

    /// The row that an old one becomes.
    func row(_ values: [Value]) throws -> [Value] {
        try zip(new.columns, sources).map { column, source in
            let value = try source.value(in: values)
            guard isConverted(column.place) else { return value }
            return try checked(value, column)
        }
    }

    private func checked(_ value: Value, _ column: DeviceColumn) throws -> Value {
        guard !value.isNull else { return value }
        do { return try column.property.check(value) } catch {
            throw LocalStoreError(.invalidValue, set: new.name, properties: [error.property], message: error.message)
        }
    }

    func key(_ key: [Value]) throws -> [Value] {
        var row = [Value](repeating: .null, count: old.columns.count)
        for (place, value) in zip(old.key, key) { row[place] = value }
        return try new.key.map { try sources[$0].value(in: row) }
    }

    /// What a change becomes; an update that touches nothing of this set has no assignments.
    func change(_ change: OutboxChange) throws -> OutboxChange {
        var mapped = change
        mapped.set = new.index
        mapped.key = try key(change.key)
        if !isPrimary { mapped.etag = nil }
        switch change.operation {
        case .insert, .delete: mapped.row = try row(change.row)
        case .update:
            mapped.assignments = try new.columns.compactMap { column in
                guard let place = sources[column.place].place,
                    let old = change.assignments.first(where: { $0.property == place })
                else { return nil }
                let source = sources[column.place]
                return Change.Assignment(
                    property: column.place,
                    before: try checked(source.value(old.before), column),
                    after: try checked(source.value(old.after), column)
                )
            }
        }
        return mapped
    }
}

/// How all of one arrangement becomes another.
struct LayoutMapping {
    let old: StoreLayout
    let new: StoreLayout
    let sets: [MappedSet]
    private let targets: [[Int]]

    init(_ old: StoreLayout, _ new: StoreLayout, _ sets: [MappedSet]) {
        self.old = old
        self.new = new
        self.sets = sets
        var targets = [[Int]](repeating: [], count: old.sets.count)
        for (place, set) in sets.enumerated() {
            // What the rows stay in stands before what is split off.
            targets[set.old.index].insert(place, at: set.isPrimary ? 0 : targets[set.old.index].count)
        }
        self.targets = targets
    }

    /// What an old set becomes: nothing, one set, or several.
    func targets(of set: Int) -> [MappedSet] { targets[set].map { sets[$0] } }

    /// The set that has the rows of an old one, or `nil` where they are dropped.
    func primary(of set: Int) -> MappedSet? { targets(of: set).first { $0.isPrimary } }

    /// Whether the values at a place have no successor.
    func isDropped(_ place: Int, of set: Int) -> Bool {
        !targets(of: set).contains { $0.sources.contains { $0.place == place } }
    }

    /// Whether records keep their form.
    var isIdentity: Bool {
        old.sets.count == new.sets.count
            && sets.allSatisfy { set in
                set.old.index == set.new.index && set.old.name == set.new.name
                    && set.old.columns.map(\.property.names.wire) == set.new.columns.map(\.property.names.wire)
                    && set.staysInPlace
                    && set.sources.enumerated().allSatisfy { $1.place == $0 && $1.fallback.isNull }
            } && sets.count == old.sets.count
    }
}

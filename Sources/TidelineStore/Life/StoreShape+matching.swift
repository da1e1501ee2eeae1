// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What the steps left, laid beside the model of the app.
extension StoreShape {
    /// How the file becomes what the model says.
    ///
    /// - Throws: ``LocalStoreError``: `newerVersion` for a set or property that the model does not know,
    ///   `migrationNeeded` for a difference that needs a step.
    func mapping(from old: StoreLayout, to new: StoreLayout) throws -> LayoutMapping {
        for table in tables where new.model[set: table.name] == nil { throw Self.unknown("set '\(table.name)'") }
        let sets = try new.sets.compactMap { set -> MappedSet? in
            guard let table = tables.first(where: { $0.name == set.name }) else { return nil }
            return try mapped(table, old.sets[table.origin], set)
        }
        return LayoutMapping(old, new, sets)
    }

    private func mapped(_ table: Table, _ old: SetLayout, _ new: SetLayout) throws -> MappedSet {
        for column in table.columns where new.set.type.propertyIndex(wire: column.name) == nil {
            throw Self.unknown("property '\(new.name).\(column.name)'")
        }
        let sources = try new.columns.map { column in
            let name = column.property.names.wire
            guard let known = table.columns.first(where: { $0.name == name }) else {
                return try added(column, of: new)
            }
            return try fitted(known.source, old, column, of: new)
        }
        let keys = Set(new.key.compactMap { sources[$0].place })
        guard keys == Set(old.key), new.key.count == old.key.count else {
            throw Self.unfit("The key of '\(new.name)' has other properties than in the file; a key cannot change.")
        }
        return MappedSet(old: old, new: new, isPrimary: table.isPrimary, sources: sources)
    }

    /// A property that the file does not have.
    private func added(_ column: DeviceColumn, of set: SetLayout) throws -> ValueSource {
        let value = column.property.defaultValue ?? .null
        guard !value.isNull || column.rule.isNullable else { throw Self.valueless(column, set) }
        return ValueSource(place: nil, fallback: value)
    }

    private func fitted(
        _ source: ValueSource,
        _ old: SetLayout,
        _ column: DeviceColumn,
        of set: SetLayout
    ) throws -> ValueSource {
        var source = source
        if !source.fallback.isNull {
            do { source.fallback = try column.property.check(source.fallback) } catch {
                throw Self.unfit("The value that fills '\(set.name).\(error.property)' does not fit. \(error.message)")
            }
        }
        guard let place = source.place else { return source }
        let (before, after) = (old.columns[place].property, column.property)
        guard source.isRetyped || before.type == after.type || Self.isWider(after.type, than: before.type) else {
            throw Self.unfit(
                "'\(set.name).\(after.names.wire)' was \(before.type.rawValue) and is \(after.type.rawValue); "
                    + "it needs a step 'retype'."
            )
        }
        if source.isRetyped || before.type != after.type {
            source.conversions.append { try ValueSource.converted($0, to: after) }
        }
        if !column.rule.isNullable, old.columns[place].rule.isNullable || source.isRetyped, source.fallback.isNull {
            source.fallback = after.defaultValue ?? .null
            guard !source.fallback.isNull || set.key.contains(column.place) || source.isRetyped else {
                throw Self.valueless(column, set)
            }
        }
        return source
    }

    /// Whether every value of one type is one of the other.
    private static func isWider(_ type: PrimitiveType, than old: PrimitiveType) -> Bool {
        if let wide = type.integerRange, let narrow = old.integerRange {
            return wide.contains(narrow.lowerBound) && wide.contains(narrow.upperBound)
        }
        return old == .single && type == .double
    }

    private static func valueless(_ column: DeviceColumn, _ set: SetLayout) -> LocalStoreError {
        unfit(
            "'\(set.name).\(column.property.names.wire)' is required: it needs a default, or a step 'fill' with the "
                + "value of the rows that have none."
        )
    }

    private static func unknown(_ what: String) -> LocalStoreError {
        LocalStoreError(
            .newerVersion,
            message: "The file has the \(what), which the app's model does not know. A newer release of the app wrote "
                + "it, or a migration has to drop it."
        )
    }
}

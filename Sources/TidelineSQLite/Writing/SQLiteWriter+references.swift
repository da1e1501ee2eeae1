// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension SQLiteWriter {
    /// Runs a change of a row, and names in its refusal the foreign key that refuses it, which SQLite does not: its table
    /// and columns.
    ///
    /// What was refused was undone, so the row is as it was.
    ///
    /// - Parameters:
    ///   - set: that of the row.
    ///   - key: the row that is updated or deleted; `nil` for a new one.
    ///   - columns: the values that it gets; `nil` where it is deleted.
    func namingReference<Result>(
        of set: EntitySet,
        _ key: Key?,
        _ columns: [(place: Int, value: Value)]?,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch var error as StorageError where error.code == .missingReference {
            let before = try key.flatMap { try entity($0, in: set) }?.values
            if let (owner, navigation) = try lacking(set, before, columns) ?? referring(set, before, columns) {
                error.set = owner.names.database
                error.properties = navigation.constraints.map { owner.type.properties[$0.source].names.database }
            }
            throw error
        }
    }

    /// A reference that the change sets and that leads nowhere.
    private func lacking(
        _ set: EntitySet,
        _ before: [Value]?,
        _ columns: [(place: Int, value: Value)]?
    ) throws -> (EntitySet, NavigationProperty)? {
        guard let columns else { return nil }
        let new = Dictionary(columns.map { ($0.place, $0.value) }, uniquingKeysWith: { _, last in last })
        for navigation in set.type.navigationProperties where navigation.isDependent {
            guard let target = model[set: navigation.targetSet],
                navigation.constraints.contains(where: { new[$0.source] != nil })
            else { continue }
            let values = navigation.constraints.compactMap { new[$0.source] ?? before?[$0.source] }
            guard values.count == navigation.constraints.count, !values.contains(.null) else { continue }
            if try !holds(target, navigation.constraints.map(\.target), values) { return (set, navigation) }
        }
        return nil
    }

    /// A reference of another row to this one, as it was before the change.
    private func referring(
        _ set: EntitySet,
        _ before: [Value]?,
        _ columns: [(place: Int, value: Value)]?
    ) throws -> (EntitySet, NavigationProperty)? {
        guard let before else { return nil }
        let changed = columns.map { Set($0.map(\.place)) }
        for owner in model.sets where !owner.isReadOnly {
            for navigation in owner.type.navigationProperties
            where navigation.isDependent && navigation.targetSet == set.names.wire {
                let targets = navigation.constraints.map(\.target)
                // What is deleted takes along, or frees, those who would not refuse it.
                guard changed.map({ !$0.isDisjoint(with: targets) }) ?? (navigation.onDelete == .none) else { continue }
                // A row that refers to itself refuses nothing.
                let isOwn = owner == set && navigation.constraints.allSatisfy { before[$0.source] == before[$0.target] }
                let values = targets.map { before[$0] }
                guard !values.contains(.null) else { continue }
                if try holds(owner, navigation.constraints.map(\.source), values, times: isOwn ? 2 : 1) {
                    return (owner, navigation)
                }
            }
        }
        return nil
    }

    /// Whether so many rows of a set have these values at these places.
    private func holds(_ set: EntitySet, _ places: [Int], _ values: [Value], times: Int = 1) throws -> Bool {
        let statements = context.statements(set)
        let conditions = places.enumerated().map { number, place in
            "\(SQLToken.name(set.type.properties[place].names.database)) = ?\(number + 1)"
        }
        let sql = "SELECT 1 FROM \(statements.table) WHERE \(conditions.joined(separator: " AND ")) LIMIT \(times)"
        let statement = try PreparedStatement.cached(connection, sql)
        defer { statement.reset() }
        do {
            for (number, place) in places.enumerated() {
                try statements.writers[place].bind(values[number], statement, Int32(number + 1))
            }
        } catch let error as StorageError where error.code == .invalidValue {
            return false
        }
        for _ in 0..<times where try !statement.step() { return false }
        return true
    }
}

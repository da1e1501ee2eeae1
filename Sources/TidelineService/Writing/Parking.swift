// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Sets the unique values of a row aside for the time of a swap.
struct Parking {
    let writer: any StoreWriter

    /// Gives the row other values in the unique properties that stand in the way: null where that is allowed, else a
    /// value that nobody has.
    ///
    /// The step that owns the row writes its own values afterwards, in the same transaction, and the former ones where
    /// it has none.
    ///
    /// - Returns: the places of the properties whose values were set aside.
    func park(_ entity: Resource.Entity, _ current: StoredEntity, _ error: StorageError?) throws -> [Int] {
        // A value of a row of another set is not freed by changing this one.
        if let set = error?.set, set != entity.set.names.wire { return [] }
        let type = entity.set.type
        let named = Set((error?.properties ?? []).compactMap { type.propertyIndex(wire: $0) })
        let unique = type.uniqueKeys.filter { named.isEmpty || named.isSuperset(of: $0) || !named.isDisjoint(with: $0) }
        var values: [Int: Value] = [:]
        for key in unique {
            guard let place = key.first(where: { type.properties[$0].isNullable }) ?? key.first else { continue }
            guard !type.key.contains(place), let value = placeholder(type.properties[place]) else { continue }
            values[place] = value
        }
        guard !values.isEmpty else { return [] }
        do {
            let isThere = try writer.savepoint { try writer.update(entity.key, values, in: entity.set) }
            return isThere ? Array(values.keys) : []
        } catch is StorageError {
            return []
        }
    }

    private func placeholder(_ property: Property) -> Value? {
        if property.isNullable { return .null }
        switch property.type {
        case .string:
            let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")
            let length = min(property.maxLength ?? 24, 24)
            return .string(String((0..<length).compactMap { _ in digits.randomElement() }))
        case .guid: return .guid(GUID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)))
        case .int64, .int32, .int16, .sbyte, .byte:
            guard let range = property.type.integerRange else { return nil }
            return .integer(Int64.random(in: range.lowerBound...range.lowerBound / 2 + range.upperBound / 4))
        case .dateTimeOffset: return .dateTimeOffset(DateTimeOffset(seconds: -Int64.random(in: 1...60_000_000_000)))
        case .date: return .date(CalendarDate(daysSinceEpoch: -Int32.random(in: 1...700_000)))
        default: return nil
        }
    }
}

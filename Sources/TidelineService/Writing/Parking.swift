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
    /// The step that changes the row writes its own values afterwards, in the same transaction, and the former ones where
    /// it has none.
    ///
    /// - Returns: whether values were set aside.
    func park(_ entity: Resource.Entity, _ current: StoredEntity, _ error: StorageError?, for step: Step) throws -> Bool
    {
        let places = try park(entity, current, error)
        guard !places.isEmpty else { return false }
        step.parked[RowAddress(entity)] = Step.Parked(row: current, places: places)
        return true
    }

    private func park(_ entity: Resource.Entity, _ current: StoredEntity, _ error: StorageError?) throws -> [Int] {
        // A value of a row of another set is not freed by changing this one.
        if let set = error?.set, set != entity.set.names.wire { return [] }
        let type = entity.set.type
        let named = Set((error?.properties ?? []).compactMap { type.propertyIndex(wire: $0) })
        let unique = type.uniqueKeys.filter { named.isEmpty || named.isSuperset(of: $0) || !named.isDisjoint(with: $0) }
        var parked: [Int] = []
        for key in unique where !key.contains(where: parked.contains) {
            // What the database takes is found by trying: a foreign key, or a CHECK, may stand against one of them.
            let place = try candidates(key, of: type).first { place in
                try placeholders(type.properties[place]).contains { value in
                    // The value that it has stands in the way; another one is to be found.
                    try value != current.values[place] && isTaken(value, at: place, entity)
                }
            }
            if let place { parked.append(place) }
        }
        return parked
    }

    /// The properties of a unique key that may be set aside, the likeliest first: what may be null, then what refers to
    /// nothing.
    private func candidates(_ key: [Int], of type: EntityType) -> [Int] {
        let references = Set(
            type.navigationProperties.filter(\.isDependent).flatMap { $0.constraints.map(\.source) }
        )
        let rank = { (place: Int) in type.properties[place].isNullable ? 0 : references.contains(place) ? 2 : 1 }
        return key.filter { !type.key.contains($0) }.sorted { rank($0) < rank($1) }
    }

    private func isTaken(_ value: Value, at place: Int, _ entity: Resource.Entity) throws -> Bool {
        do {
            return try writer.savepoint { try writer.update(entity.key, [place: value], in: entity.set) }
        } catch is StorageError {
            return false
        }
    }

    /// The values to try: where the property has a few of its own, as a place from 0 to 5, each of them, since one may be
    /// free; else one that nobody has.
    private func placeholders(_ property: Property) -> [Value] {
        if property.isNullable { return [.null] }
        if !property.allowedValues.isEmpty { return Array(property.allowedValues.prefix(Self.mostTried)) }
        if case .integer(let low)? = property.minimum, case .integer(let high)? = property.maximum, low <= high,
            high.subtractingReportingOverflow(low).overflow == false, high - low < Int64(Self.mostTried)
        {
            return (low...high).map(Value.integer)
        }
        return placeholder(property).map { [$0] } ?? []
    }

    /// Each value that is tried in vain is a statement.
    private static let mostTried = 64

    private func placeholder(_ property: Property) -> Value? {
        switch property.type {
        case .string:
            let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")
            let length = min(property.maxLength ?? 24, 24)
            return .string(String((0..<length).compactMap { _ in digits.randomElement() }))
        case .guid: return .guid(GUID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)))
        case .int64, .int32, .int16, .sbyte, .byte:
            guard let range = property.type.integerRange else { return nil }
            return .integer(number(of: property, in: range))
        case .dateTimeOffset: return .dateTimeOffset(DateTimeOffset(seconds: -Int64.random(in: 1...60_000_000_000)))
        case .date: return .date(CalendarDate(daysSinceEpoch: -Int32.random(in: 1...700_000)))
        default: return nil
        }
    }

    /// A number far from those that people give, between the limits of the property where it has any.
    private func number(of property: Property, in range: ClosedRange<Int64>) -> Int64 {
        var (low, high) = (range.lowerBound, range.lowerBound / 2 + range.upperBound / 4)
        if case .integer(let least)? = property.minimum { (low, high) = (max(low, least), range.upperBound) }
        if case .integer(let most)? = property.maximum { high = min(high, most) }
        return low <= high ? .random(in: low...high) : low
    }
}

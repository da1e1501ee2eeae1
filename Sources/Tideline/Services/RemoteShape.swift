// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// How the properties of an entity lie in a set of a service.
struct RemoteShape<Element: Queryable>: Sendable {
    let set: EntitySet
    /// The place in the set's type of each property of the entity; `nil` for those that stay on the device.
    let places: [Int?]
    /// The places that travel, in the order of the entity's properties.
    let columns: [Int]

    /// - Throws: ``LocalStoreError`` `unknownSet`, `unknownProperty` or `invalidValue` where the two do not fit.
    init(model: EntityModel) throws {
        set = try Element.entitySet(in: model)
        let description = Element.entityDescription
        var places: [Int?] = []
        for property in description.properties.map(\.property) {
            let place = property.isLocalOnly ? nil : set.type.propertyIndex(wire: property.names.wire)
            places.append(place)
            guard place == nil, !property.isLocalOnly else { continue }
            throw LocalStoreError(
                .unknownProperty,
                set: set.names.wire,
                properties: [property.names.wire],
                message: "\(set.names.wire) has no property \(property.names.wire), which \(Element.self) has."
            )
        }
        self.places = places
        columns = places.compactMap(\.self)
    }

    /// The entity of a row with the values of ``columns``; what stays on the device comes from another one, or is as new.
    func entity(_ row: [Value], local: Element? = nil) throws -> Element {
        let kept = local?.edmValues
        var next = row.makeIterator()
        let values = Element.entityDescription.properties.indices.map { turn -> Value in
            if places[turn] != nil { return next.next() ?? .null }
            return kept?[turn] ?? Element.entityDescription.properties[turn].property.valueAtFirst
        }
        return try Element(edmValues: values)
    }

    /// The values of an entity in the order of ``columns``.
    func row(_ entity: Element) -> [Value] {
        zip(places, entity.edmValues).compactMap { place, value in place.map { _ in value } }
    }

    /// Whether a property of the set, by its place, can be changed to a value.
    ///
    /// What is computed in the struct's own eyes is never written.
    func isChangeable(_ place: Int, to value: Value) -> Bool {
        let own = places.firstIndex(of: place).map { Element.entityDescription.properties[$0].property }
        return own?.generation != .always && !set.type.key.contains(place) && !set.type.properties[place].isReadOnly
            && set.type.brings(value, at: place)
    }
}

extension Property {
    /// What the property has in an entity that nobody gave it a value.
    fileprivate var valueAtFirst: Value {
        if let defaultValue { return defaultValue }
        if isNullable { return .null }
        return switch type {
        case .boolean: .boolean(false)
        case .byte, .sbyte, .int16, .int32, .int64: .integer(0)
        case .double, .single: .double(0)
        case .decimal: .decimal(EdmDecimal(coefficient: 0))
        case .string: .string("")
        case .binary: .binary([])
        case .guid: .guid(GUID(high: 0, low: 0))
        case .date: Value(text: "1970-01-01", as: .date) ?? .null
        case .timeOfDay: Value(text: "00:00:00", as: .timeOfDay) ?? .null
        case .dateTimeOffset: .dateTimeOffset(DateTimeOffset(seconds: 0))
        case .duration: .duration(.zero)
        default: .null
        }
    }
}

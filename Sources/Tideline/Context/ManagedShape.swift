// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// How the values of an object become a struct: worked out once for a type and a set.
struct ManagedShape: Sendable {
    /// The places of the struct's properties in the set.
    let places: [Int]
    /// What stands for a required value that is not there.
    let standIns: [Value]
    let calculated: [CalculatedProperty]
    let decoder: RowDecoder

    init<Model: Queryable>(_ type: Model.Type, _ set: EntitySet) throws {
        places = try Model.columns(in: set)
        let own = Model.entitySet.type
        standIns = own.properties.map { property in
            property.isNullable ? .null : property.defaultValue ?? Value(emptyOf: property.type)
        }
        calculated = own.calculatedProperties
        decoder = RowDecoder(own.properties + calculated.map { Property(names: $0.names, type: $0.type) })
    }

    func decode<Model: Queryable>(_ type: Model.Type, _ values: [Value], _ calculated: [Value]) throws -> Model {
        let own = zip(places, standIns).map { place, standIn in values[place].isNull ? standIn : values[place] }
        return try decoder.decode(own + calculated) { try Model(row: &$0) }
    }
}

extension ManagedRow {
    func shape<Model: Queryable>(of type: Model.Type) throws -> ManagedShape {
        try shared(ObjectIdentifier(type)) { try ManagedShape(type, modelSet) }
    }

    /// The object as a struct, kept until one of its values changes; with calculated properties made anew each time.
    func decoded<Model: Queryable>(as type: Model.Type, calculating: Bool) throws -> Model {
        let values = try orderedValues
        if !calculating, let known = decoded as? Model { return known }
        let shape = try shape(of: type)
        let calculated = try shape.calculated.map { calculating ? try calculatedValue($0) : .null }
        let model = try shape.decode(type, values, calculated)
        if !calculating { decoded = model }
        return model
    }

    /// Whether a key path leads to a calculated property: then its value differs with what was calculated.
    func isCalculated<Model: Queryable, Content: PropertyValue>(_ keyPath: WritableKeyPath<Model, Content>) throws
        -> Bool
    {
        guard Model.hasCalculated else { return false }
        let shape = try shape(of: Model.self)
        return try shared(keyPath) {
            let values = try orderedValues
            let without = try shape.decode(Model.self, values, shape.calculated.map { _ in .null })
            let with = try shape.decode(Model.self, values, shape.calculated.map { Value(emptyOf: $0.type) })
            return without[keyPath: keyPath].edmValue != with[keyPath: keyPath].edmValue
        }
    }

    /// Gives a property a value, and what else the struct's own setter changes.
    func set<Model: Queryable, Content: PropertyValue>(
        _ value: Content,
        at keyPath: WritableKeyPath<Model, Content>
    ) throws {
        let shape = try shape(of: Model.self)
        var model = try decoded(as: Model.self, calculating: false)
        let before = model.edmValues
        model[keyPath: keyPath] = value
        var changed: [Int: Value] = [:]
        for (place, (old, new)) in zip(shape.places, zip(before, model.edmValues)) where old != new {
            changed[place] = new
        }
        try set(places: changed)
    }
}

extension Value {
    /// Zero, false, empty or the start of time.
    init(emptyOf type: PrimitiveType) {
        switch type {
        case .boolean: self = .boolean(false)
        case .byte, .sbyte, .int16, .int32, .int64: self = .integer(0)
        case .double, .single: self = .double(0)
        case .decimal: self = .decimal(EdmDecimal(coefficient: 0))
        case .binary: self = .binary([])
        case .guid: self = .guid(GUID(high: 0, low: 0))
        case .date: self = .date(CalendarDate(daysSinceEpoch: 0))
        case .timeOfDay: self = .timeOfDay(TimeOfDay(nanoseconds: 0))
        case .dateTimeOffset: self = .dateTimeOffset(DateTimeOffset(seconds: 0))
        case .duration: self = .duration(.zero)
        default: self = .string("")
        }
    }
}

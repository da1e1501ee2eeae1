// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// How a device stores the values of one property.
///
/// Integers and Booleans are INTEGER, floating-point numbers REAL, `Decimal(p ≤ 18, s)` a scaled INTEGER and other
/// decimals TEXT, GUIDs lower-case TEXT, dates and times TEXT in UTC of fixed width (wider where the service has a longer
/// fraction than its model says), durations their canonical TEXT.
struct DeviceColumn: Sendable {
    enum Form: UInt8, Sendable {
        case boolean, integer, double, decimalScaled, decimalText, string, binary, guid, date, time, moment, duration
        /// Nanoseconds: computed times and durations.
        case computedTime, computedDuration
    }

    /// What the fast paths look at: no reference counts.
    struct Rule: Sendable {
        var form: Form
        var isNullable: Bool
        var isGeneratedKey: Bool
        var low: Int64
        var high: Int64
        /// The digits after the point, of decimals and of seconds.
        var scale: Int
        var maxLength: Int
        /// Whether more is asked of a value than that it fits: a pattern, a least or greatest value, a list.
        var isGuarded: Bool
    }

    let place: Int
    let property: Property
    let rule: Rule

    /// - Parameter form: the form of the values, where it is not that of the property's type.
    init(_ property: Property, place: Int, isKey: Bool, form: Form? = nil) {
        self.place = place
        self.property = property
        let form = form ?? Self.form(of: property)
        var range = property.type.integerRange ?? Int64.min...Int64.max
        if form == .decimalScaled {
            var limit: Int64 = 1
            for _ in 0..<min(property.precision ?? 18, 18) { limit *= 10 }
            range = (1 - limit)...(limit - 1)
        }
        let isGuarded = property.hasValueRules
        let isInteger = property.type.integerRange != nil
        let isKeyWithDefault = isKey && property.generation == .onInsert
        let isGeneratedKey = isKeyWithDefault && isInteger
        // It names the row from the first moment, where a number has a temporary one in its place.
        let isNeededKey = isKeyWithDefault && !isInteger
        let isNullUntilMade = property.generation != .none && !isNeededKey
        rule = Rule(
            form: form,
            isNullable: property.isNullable || isNullUntilMade,
            isGeneratedKey: isGeneratedKey,
            // No value is between these, and no text is as short: so a guarded one never takes the fast path.
            low: isGuarded ? 1 : range.lowerBound,
            high: isGuarded ? 0 : range.upperBound,
            scale: property.type == .decimal ? property.scale ?? 0 : min(property.precision ?? 9, 9),
            maxLength: isGuarded ? -1 : property.maxLength ?? .max,
            isGuarded: isGuarded
        )
    }

    private static func form(of property: Property) -> Form {
        switch property.type {
        case .boolean: .boolean
        case .byte, .sbyte, .int16, .int32, .int64: .integer
        case .double, .single: .double
        case .decimal: property.storage == .decimalScaled ? .decimalScaled : .decimalText
        case .string: .string
        case .binary: .binary
        case .guid: .guid
        case .date: .date
        case .timeOfDay: .time
        case .dateTimeOffset: .moment
        case .duration: .duration
        default: .string
        }
    }

    /// The property as a device's file holds it: its own column name, storage form, and a fixed width of times.
    ///
    /// Members of an enumeration are held by their names, and structured and spatial values as JSON text: as they
    /// travel.
    static func stored(_ property: Property, in model: EntityModel) -> Property {
        var stored = property
        stored.names.database = property.names.wire
        stored.storage = .native
        if let name = property.enumeration {
            stored.type = .string
            stored.enumeration = nil
            func text(_ value: Value) -> Value? {
                guard case .integer(let number) = value else { return value }
                return model[enumeration: name].map { .string($0.text(of: number)) }
            }
            stored.defaultValue = property.defaultValue.flatMap(text)
            stored.allowedValues = property.allowedValues.compactMap(text)
            if stored.allowedValues.isEmpty, let type = model[enumeration: name], !type.isFlags {
                stored.allowedValues = type.members.map { .string($0.name) }
            }
            (stored.minimum, stored.maximum) = (nil, nil)
        } else if property.type.isSpatial {
            stored.type = .string
            stored.structure = .complex(property.type.rawValue)
        }
        switch stored.type {
        case .decimal:
            let isScaled = property.scale != nil && (property.precision ?? .max) <= 18
            stored.storage = isScaled ? .decimalScaled : .decimalText
        case .dateTimeOffset, .timeOfDay:
            stored.precision = min(property.precision ?? 9, 9)
        default: break
        }
        return stored
    }

    /// The type that the column is declared with, for its affinity.
    var declaration: String {
        switch rule.form {
        case .boolean, .integer, .decimalScaled: "INTEGER"
        case .double: "REAL"
        case .binary: "BLOB"
        default: "TEXT"
        }
    }

    func refused(_ what: String, _ code: LocalStoreError.Code = .invalidValue) -> LocalStoreError {
        LocalStoreError(
            code,
            properties: [property.names.wire],
            message: "The value of '\(property.names.wire)' \(what)."
        )
    }

    /// Checks a value and appends it in its storage form, or null where the column has no form for it.
    ///
    /// - Returns: what the value breaks.
    func append(checked value: Value, to buffer: PackedBuffer) -> [ValueError] {
        if !rule.isGuarded, let fit = fitting(value) {
            append(fit, to: buffer)
            return []
        }
        let broken = violations(of: value)
        if broken.contains(where: \.isUnstorable) {
            buffer.null()
        } else {
            append(value.promoted(to: property.type) ?? .null, to: buffer)
        }
        return broken
    }

    /// A value that keeps all facets, in the property's own family; `nil` for one to look at more closely.
    private func fitting(_ value: Value) -> Value? {
        switch value {
        case .null, .double: nil
        default: try? property.check(value)
        }
    }

    /// What a value breaks.
    func violations(of value: Value) -> [ValueError] {
        switch value {
        case .null:
            return rule.isNullable ? [] : [violation(.null, "is required and cannot be null")]
        case .double(let number) where number.isNaN:
            // SQLite keeps no NaN: it would come back as null.
            return [violation(.outOfRange, "is not a number")]
        default: break
        }
        guard property.structure != nil else {
            return property.violations(of: value.promoted(to: property.type) ?? value)
        }
        do throws(ValueError) {
            _ = try property.check(value)
            return []
        } catch {
            return [error]
        }
    }

    /// Whether the server alone makes the value: what it computes, and the keys that it gives.
    ///
    /// A default that it computes counts where a new entity has no value.
    var isMade: Bool { property.generation == .always || rule.isGeneratedKey }

    /// What a value breaks that a new entity may have: it lacks what the server makes then, and nothing later.
    func violationsOfChange(to value: Value) -> [ValueError] {
        guard value.isNull, property.generation == .onInsert, !property.isNullable else { return [] }
        return [violation(.null, "is required and cannot be null")]
    }

    /// Why the value cannot be changed here once the entity is there, or `nil`.
    var reasonAgainstChange: String? {
        if isMade { return "is made by the server" }
        if property.isReadOnly { return "can only be read" }
        return property.isImmutable ? "is given once and cannot change" : nil
    }

    func violation(_ code: ValueError.Code, _ what: String) -> ValueError {
        let name = property.names.wire
        return ValueError(code, property: name, message: "The value of '\(name)' \(what).")
    }

    /// Appends a value of the property's own family.
    func append(_ value: Value, to buffer: PackedBuffer) {
        switch value {
        case .null: buffer.null()
        case .boolean(let value): buffer.integer(value ? 1 : 0)
        case .integer(let value): buffer.integer(value)
        case .double(let value): buffer.double(value)
        case .string(let value): buffer.text(value)
        case .binary(let value): buffer.blob(value)
        case .decimal(let value):
            if rule.form == .decimalScaled,
                let scaled = value.normalized.coefficient(atScale: rule.scale).flatMap({ Int64(exactly: $0) })
            {
                buffer.integer(scaled)
            } else {
                buffer.text(value.normalized.text)
            }
        case .timeOfDay(let value):
            var bytes: [UInt8] = []
            value.append(to: &bytes, fractionDigits: Self.digits(of: value.nanoseconds % 1_000_000_000, rule))
            buffer.text(bytes)
        case .dateTimeOffset(let value):
            var bytes: [UInt8] = []
            value.append(to: &bytes, fractionDigits: Self.digits(of: Int64(value.nanoseconds), rule))
            buffer.text(bytes)
        case .guid, .date, .duration, .geography:
            var bytes: [UInt8] = []
            value.append(to: &bytes)
            buffer.text(bytes)
        }
    }

    /// The value that a storage form stands for.
    func value(_ stored: PackedValue) throws -> Value {
        switch (stored, rule.form) {
        case (.null, _): return .null
        case (.integer(let number), .boolean): return .boolean(number != 0)
        case (.integer(let number), .integer): return .integer(number)
        case (.integer(let number), .double): return .double(Double(number))
        case (.integer(let number), .decimalScaled):
            return .decimal(EdmDecimal(coefficient: Int128(number), scale: rule.scale))
        case (.double(let number), .double): return .double(number)
        case (.text(let text), .string): return unsafe .string(String(decoding: text, as: UTF8.self))
        case (.text(let text), _):
            if let value = unsafe Value(utf8: text, as: property.type) { return value }
        case (.blob(let blob), .binary): return unsafe .binary([UInt8](blob))
        case (.integer(let number), .computedTime): return .timeOfDay(TimeOfDay(nanoseconds: number))
        case (.integer(let number), .computedDuration): return .duration(.nanoseconds(number))
        default: break
        }
        throw LocalStoreError(
            .corrupt,
            properties: [property.names.wire],
            message: "The file holds a value of '\(property.names.wire)' that is no \(property.type.rawValue)."
        )
    }
}

extension Property {
    /// Whether its values have to meet more than its type and facets.
    fileprivate var hasValueRules: Bool {
        structure == nil && (pattern != nil || minimum != nil || maximum != nil || !allowedValues.isEmpty)
    }
}

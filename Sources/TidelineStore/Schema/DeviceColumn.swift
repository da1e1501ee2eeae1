// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// How a device stores the values of one property.
///
/// Integers and Booleans are INTEGER, floating-point numbers REAL, `Decimal(p ≤ 18, s)` a scaled INTEGER and other
/// decimals TEXT, GUIDs lower-case TEXT, dates and times TEXT in UTC of fixed width, durations their canonical TEXT.
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
        rule = Rule(
            form: form,
            isNullable: property.isNullable || property.generation != .none,
            isGeneratedKey: isKey && property.generation == .onInsert,
            low: range.lowerBound,
            high: range.upperBound,
            scale: property.type == .decimal ? property.scale ?? 0 : min(property.precision ?? 9, 9),
            maxLength: property.maxLength ?? .max
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
            if case .integer(let value)? = property.defaultValue {
                stored.defaultValue = model[enumeration: name].map { .string($0.text(of: value)) }
            }
            stored.minimum = nil
            stored.maximum = nil
            stored.allowedValues = property.allowedValues.compactMap { value in
                guard case .integer(let number) = value else { return nil }
                return model[enumeration: name].map { .string($0.text(of: number)) }
            }
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

    /// Whether an integer may have the column's affinity INTEGER.
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

    /// Checks a value and appends it in its storage form.
    func append(checked value: Value, to buffer: PackedBuffer) throws {
        guard value != .null else {
            guard rule.isNullable else { throw refused("is required and cannot be null", .nullValue) }
            return buffer.null()
        }
        do {
            append(try property.check(value), to: buffer)
        } catch let error {
            throw LocalStoreError(
                error.code == .null ? .nullValue : .invalidValue,
                properties: [error.property],
                message: error.message
            )
        }
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
            value.append(to: &bytes, fractionDigits: rule.scale)
            buffer.text(bytes)
        case .dateTimeOffset(let value):
            var bytes: [UInt8] = []
            value.append(to: &bytes, fractionDigits: rule.scale)
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

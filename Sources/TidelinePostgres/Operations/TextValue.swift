// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Values in PostgreSQL's text form: what an operation gives, of whatever type its columns are.
///
/// The session writes moments in UTC, dates in ISO form and intervals in that of ISO 8601.
enum TextValue {
    /// The text as a value of a property; `nil` when it is none.
    static func value(_ text: String, of property: Property, in model: EntityModel) -> Value? {
        if property.structure != nil { return .string(text) }
        if let enumeration = model.enumeration(of: property) {
            return enumeration.value(of: text).map(Value.integer)
        }
        guard property.storage == .native else { return stored(text, property) }
        switch property.type {
        case .boolean:
            return text == "t" || text == "true"
                ? .boolean(true) : text == "f" || text == "false" ? .boolean(false) : nil
        case .byte, .sbyte, .int16, .int32, .int64:
            guard let number = Int64(text), property.type.integerRange?.contains(number) == true else { return nil }
            return .integer(number)
        case .double, .single: return Double(text).map(Value.double)
        case .string: return .string(text)
        case .binary: return text.hasPrefix("\\x") ? .binary(Capture.bytes(String(text.dropFirst(2)))) : nil
        case .dateTimeOffset: return moment(text)
        default: return Value(text: text, as: property.type)
        }
    }

    private static func stored(_ text: String, _ property: Property) -> Value? {
        if let number = Int64(text), let value = property.value(of: .integer(number)) { return value }
        if let number = Double(text), let value = property.value(of: .real(number)) { return value }
        return property.value(of: .text(text))
    }

    /// `2026-02-28 09:30:00.5+00`, or without an offset.
    private static func moment(_ text: String) -> Value? {
        let plain = text.hasSuffix("+00") ? String(text.dropLast(3)) : text
        return Value(text: plain.replacing(" ", with: "T") + "Z", as: .dateTimeOffset)
    }
}

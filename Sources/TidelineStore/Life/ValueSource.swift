// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Where a property of the new arrangement has its values from.
struct ValueSource: Sendable {
    /// The place in the old row, or `nil` for a value that is the same in all rows.
    var place: Int?
    /// The value where there is no old one, or where that is null.
    var fallback: Value = .null
    /// What is done to the old value, in order; each gets null too.
    var conversions: [@Sendable (Value) throws -> Value] = []
    /// Whether a step says that the type is another one.
    var isRetyped = false

    func value(_ old: Value) throws -> Value {
        var value = old
        for convert in conversions { value = try convert(value) }
        return value.isNull ? fallback : value
    }

    /// The value in an old row.
    func value(in row: [Value]) throws -> Value {
        guard let place else { return fallback }
        return try value(row[place])
    }

    /// A value as another type has it: numbers exactly, others by their text.
    static func converted(_ value: Value, to property: Property) throws -> Value {
        if let promoted = value.promoted(to: property.type) { return promoted }
        let whole: Int64? =
            switch value {
            case .decimal(let number): number.normalized.coefficient(atScale: 0).flatMap { Int64(exactly: $0) }
            case .double(let number): Int64(exactly: number)
            case .boolean(let flag): flag ? 1 : 0
            default: nil
            }
        if property.type.integerRange != nil, let whole { return .integer(whole) }
        if property.type == .decimal, case .double(let number) = value, let decimal = EdmDecimal(shortest: number) {
            return .decimal(decimal)
        }
        guard let text = value.text, let read = Value(text: text, as: property.type) else {
            throw LocalStoreError(
                .invalidValue,
                properties: [property.names.wire],
                message: "A value of '\(property.names.wire)' cannot become \(property.type.rawValue)."
            )
        }
        return read
    }
}

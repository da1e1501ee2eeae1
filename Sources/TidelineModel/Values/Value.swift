// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A value of a primitive property, or null.
///
/// The case says the family; the property's ``PrimitiveType`` says the exact type: `integer` serves every integer
/// type, `double` serves `Edm.Double` and `Edm.Single`. Equality is equality of content, so a `decimal` never equals
/// an `integer` here; expressions promote numbers first (see ``TypedExpression``).
public enum Value: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case decimal(EdmDecimal)
    case string(String)
    case binary([UInt8])
    case guid(GUID)
    case date(CalendarDate)
    case timeOfDay(TimeOfDay)
    case dateTimeOffset(DateTimeOffset)
    case duration(Duration)
    case geography(Geography)

    /// Whether this is null.
    public var isNull: Bool { self == .null }
}

extension Value {
    /// Equality of content: text by its bytes, where Swift's own equality takes é for e with an accent; not-a-number
    /// equals itself.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
        case (.decimal(let left), .decimal(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.binary(let left), .binary(let right)): left == right
        case (.guid(let left), .guid(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.timeOfDay(let left), .timeOfDay(let right)): left == right
        case (.dateTimeOffset(let left), .dateTimeOffset(let right)): left == right
        case (.duration(let left), .duration(let right)): left == right
        case (.geography(let left), .geography(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.isNaN ? .infinity : value)
        case .decimal(let value): hasher.combine(value)
        case .string(let value):
            for byte in value.utf8 { hasher.combine(byte) }
        case .binary(let value): hasher.combine(value)
        case .guid(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .timeOfDay(let value): hasher.combine(value)
        case .dateTimeOffset(let value): hasher.combine(value)
        case .duration(let value): hasher.combine(value)
        case .geography(let value): hasher.combine(value)
        }
    }
}

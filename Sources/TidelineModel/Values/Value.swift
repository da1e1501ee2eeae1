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

    /// Whether this is null.
    public var isNull: Bool { self == .null }
}

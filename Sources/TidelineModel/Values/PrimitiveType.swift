// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The primitive types of EDM that a property may have: all but `Edm.Stream` and the spatial types.
///
/// Source: OData CSDL 4.01, section 3.3.
public enum PrimitiveType: String, Hashable, Sendable, CaseIterable {
    case binary = "Edm.Binary"
    case boolean = "Edm.Boolean"
    case byte = "Edm.Byte"
    case date = "Edm.Date"
    case dateTimeOffset = "Edm.DateTimeOffset"
    case decimal = "Edm.Decimal"
    case double = "Edm.Double"
    case duration = "Edm.Duration"
    case guid = "Edm.Guid"
    case int16 = "Edm.Int16"
    case int32 = "Edm.Int32"
    case int64 = "Edm.Int64"
    case sbyte = "Edm.SByte"
    case single = "Edm.Single"
    case string = "Edm.String"
    case timeOfDay = "Edm.TimeOfDay"

    /// The values of an integer type, or `nil` for a type that is not an integer.
    public var integerRange: ClosedRange<Int64>? {
        switch self {
        case .byte: 0...255
        case .sbyte: -128...127
        case .int16: -32_768...32_767
        case .int32: -2_147_483_648...2_147_483_647
        case .int64: Int64.min...Int64.max
        default: nil
        }
    }

    /// Whether values of this type take part in arithmetic: integers, decimals and floating-point numbers.
    public var isNumeric: Bool {
        switch self {
        case .byte, .sbyte, .int16, .int32, .int64, .decimal, .double, .single: true
        default: false
        }
    }

    /// Whether a key property may have this type.
    public var isKeyType: Bool {
        switch self {
        case .int16, .int32, .int64, .byte, .sbyte, .guid, .string, .boolean, .date, .dateTimeOffset, .decimal,
            .duration, .timeOfDay:
            true
        case .binary, .double, .single: false
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The primitive types of EDM that a property may have: all but `Edm.Stream`.
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
    case geography = "Edm.Geography"
    case geographyPoint = "Edm.GeographyPoint"
    case geographyLineString = "Edm.GeographyLineString"
    case geographyPolygon = "Edm.GeographyPolygon"
    case geographyMultiPoint = "Edm.GeographyMultiPoint"
    case geographyMultiLineString = "Edm.GeographyMultiLineString"
    case geographyMultiPolygon = "Edm.GeographyMultiPolygon"
    case geographyCollection = "Edm.GeographyCollection"
    case geometry = "Edm.Geometry"
    case geometryPoint = "Edm.GeometryPoint"
    case geometryLineString = "Edm.GeometryLineString"
    case geometryPolygon = "Edm.GeometryPolygon"
    case geometryMultiPoint = "Edm.GeometryMultiPoint"
    case geometryMultiLineString = "Edm.GeometryMultiLineString"
    case geometryMultiPolygon = "Edm.GeometryMultiPolygon"
    case geometryCollection = "Edm.GeometryCollection"

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

    /// Whether values of this type are shapes: geographies, on the globe, or geometries, on a plane.
    public var isSpatial: Bool { isGeography || isGeometry }

    /// Whether values of this type are shapes on the globe.
    public var isGeography: Bool {
        switch self {
        case .geography, .geographyPoint, .geographyLineString, .geographyPolygon, .geographyMultiPoint,
            .geographyMultiLineString, .geographyMultiPolygon, .geographyCollection:
            true
        default: false
        }
    }

    /// Whether values of this type are shapes on a plane.
    public var isGeometry: Bool {
        switch self {
        case .geometry, .geometryPoint, .geometryLineString, .geometryPolygon, .geometryMultiPoint,
            .geometryMultiLineString, .geometryMultiPolygon, .geometryCollection:
            true
        default: false
        }
    }

    /// Whether a key property may have this type.
    public var isKeyType: Bool {
        switch self {
        case .int16, .int32, .int64, .byte, .sbyte, .guid, .string, .boolean, .date, .dateTimeOffset, .decimal,
            .duration, .timeOfDay:
            true
        default: false
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension Bool: EntityValue {
    public static var edmType: PrimitiveType { .boolean }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> Bool { try row.boolean() }
    public func bind(into binder: inout Binder) { binder.bind(self) }
}

extension String: EntityValue {
    public static var edmType: PrimitiveType { .string }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> String { try row.string() }
    public func bind(into binder: inout Binder) { binder.bind(self) }
}

extension Double: EntityValue {
    public static var edmType: PrimitiveType { .double }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> Double { try row.double() }
    public func bind(into binder: inout Binder) { binder.bind(self) }
}

extension Float: EntityValue {
    public static var edmType: PrimitiveType { .single }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> Float { Float(try row.double()) }
    public func bind(into binder: inout Binder) { binder.bind(Double(self)) }
}

extension [UInt8]: EntityValue {
    public static var edmType: PrimitiveType { .binary }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> [UInt8] { try row.binary() }
    public func bind(into binder: inout Binder) { binder.bind(self) }
}

extension GUID: EntityValue {
    public static var edmType: PrimitiveType { .guid }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> GUID { try row.guid() }
    public func bind(into binder: inout Binder) { binder.bind(self) }
}

extension EdmDecimal: EntityValue {
    public static var edmType: PrimitiveType { .decimal }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> EdmDecimal { try row.decimal() }
    public func bind(into binder: inout Binder) { binder.bind(self) }
}

extension CalendarDate: EntityValue {
    public static var edmType: PrimitiveType { .date }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> CalendarDate { try row.date() }
    public func bind(into binder: inout Binder) { binder.bind(self) }
}

extension TimeOfDay: EntityValue {
    public static var edmType: PrimitiveType { .timeOfDay }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> TimeOfDay { try row.timeOfDay() }
    public func bind(into binder: inout Binder) { binder.bind(self) }
}

extension DateTimeOffset: EntityValue {
    public static var edmType: PrimitiveType { .dateTimeOffset }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> DateTimeOffset { try row.dateTimeOffset() }
    public func bind(into binder: inout Binder) { binder.bind(self) }
}

extension Duration: EntityValue {
    public static var edmType: PrimitiveType { .duration }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> Duration { try row.duration() }
    public func bind(into binder: inout Binder) { binder.bind(self) }
}

extension Optional: EntityValue where Wrapped: EntityValue {
    public static var edmType: PrimitiveType { Wrapped.edmType }
    public static var isNullable: Bool { true }
    public static func read(from row: inout RowCursor) throws -> Wrapped? {
        if row.isNull {
            row.skip()
            return nil
        }
        return try Wrapped.read(from: &row)
    }
    public func bind(into binder: inout Binder) {
        if let self { self.bind(into: &binder) } else { binder.null() }
    }
}

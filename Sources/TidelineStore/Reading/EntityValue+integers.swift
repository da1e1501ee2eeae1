// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension Int: EntityValue {
    public static var edmType: PrimitiveType { .int64 }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> Int { try row.narrowed(to: Int.self) }
    public func bind(into binder: inout Binder) { binder.bind(Int64(self)) }
}

extension Int64: EntityValue {
    public static var edmType: PrimitiveType { .int64 }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> Int64 { try row.integer() }
    public func bind(into binder: inout Binder) { binder.bind(self) }
}

extension Int32: EntityValue {
    public static var edmType: PrimitiveType { .int32 }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> Int32 { try row.narrowed(to: Int32.self) }
    public func bind(into binder: inout Binder) { binder.bind(Int64(self)) }
}

extension Int16: EntityValue {
    public static var edmType: PrimitiveType { .int16 }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> Int16 { try row.narrowed(to: Int16.self) }
    public func bind(into binder: inout Binder) { binder.bind(Int64(self)) }
}

extension Int8: EntityValue {
    public static var edmType: PrimitiveType { .sbyte }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> Int8 { try row.narrowed(to: Int8.self) }
    public func bind(into binder: inout Binder) { binder.bind(Int64(self)) }
}

extension UInt8: EntityValue {
    public static var edmType: PrimitiveType { .byte }
    public static var isNullable: Bool { false }
    public static func read(from row: inout RowCursor) throws -> UInt8 { try row.narrowed(to: UInt8.self) }
    public func bind(into binder: inout Binder) { binder.bind(Int64(self)) }
}

extension RowCursor {
    /// Reads an integer of a narrower type.
    fileprivate mutating func narrowed<Number: FixedWidthInteger>(to type: Number.Type) throws -> Number {
        let value = try integer()
        guard let number = Number(exactly: value) else {
            let message = "A row holds \(value), which the app's \(type) does not: the service's property is wider."
            throw LocalStoreError(.corrupt, message: message)
        }
        return number
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
import TidelineStore

extension Bool: PropertyValue {
    public var edmValue: Value { .boolean(self) }
}

extension Int: NumberValue {
    public var edmValue: Value { .integer(Int64(self)) }
}

extension Int8: NumberValue {
    public var edmValue: Value { .integer(Int64(self)) }
}

extension Int16: NumberValue {
    public var edmValue: Value { .integer(Int64(self)) }
}

extension Int32: NumberValue {
    public var edmValue: Value { .integer(Int64(self)) }
}

extension Int64: NumberValue {
    public var edmValue: Value { .integer(self) }
}

extension UInt8: NumberValue {
    public var edmValue: Value { .integer(Int64(self)) }
}

extension Double: NumberValue {
    public var edmValue: Value { .double(self) }
}

extension Float: NumberValue {
    public var edmValue: Value { .double(Double(self)) }
}

extension EdmDecimal: NumberValue {
    public var edmValue: Value { .decimal(self) }
}

extension String: PropertyValue {
    public var edmValue: Value { .string(self) }
}

extension [UInt8]: PropertyValue {
    public var edmValue: Value { .binary(self) }
}

extension GUID: PropertyValue {
    public var edmValue: Value { .guid(self) }
}

extension CalendarDate: PropertyValue {
    public var edmValue: Value { .date(self) }
}

extension TimeOfDay: PropertyValue {
    public var edmValue: Value { .timeOfDay(self) }
}

extension DateTimeOffset: PropertyValue {
    public var edmValue: Value { .dateTimeOffset(self) }
}

extension Duration: PropertyValue {
    public var edmValue: Value { .duration(self) }
}

extension Optional: PropertyValue where Wrapped: PropertyValue {
    public var edmValue: Value { self?.edmValue ?? .null }
    public static var allowedValues: [Value] { Wrapped.allowedValues }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStore

/// A Swift type that a property of an `@Entity` may have, and that predicates can compare.
///
/// `Bool`, the integers, `Double`, `Float`, `String`, `[UInt8]`, `Duration`, ``GUID``, ``EdmDecimal``, ``CalendarDate``,
/// ``TimeOfDay``, ``DateTimeOffset`` and Foundation's `UUID`, `Date` and `Data` conform, and optionals of them. An
/// enumeration with such a raw value conforms by saying so:
///
///     enum Status: Int32, PropertyValue { case open, closed }
public protocol PropertyValue: EntityValue {
    /// The value as the model knows it.
    var edmValue: Value { get }
    /// The only values that there are, or none where the type has no such list.
    static var allowedValues: [Value] { get }
}

extension PropertyValue {
    public static var allowedValues: [Value] { [] }
}

/// A property value with arithmetic in predicates.
public protocol NumberValue: PropertyValue {
    /// What a sum of many is: wider than the integers that it is made of.
    associatedtype Sum: NumberValue
    /// What the mean of many is: exact where they are.
    associatedtype Average: NumberValue
}

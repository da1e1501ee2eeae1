// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A Swift type that a property of an `Entity` may have.
///
/// The store has the conformances of `Bool`, the integers, `Double`, `Float`, `String`, `[UInt8]`, ``GUID``,
/// ``EdmDecimal``, ``CalendarDate``, ``TimeOfDay``, ``DateTimeOffset``, `Duration`, and of optionals of all these.
public protocol EntityValue: Sendable {
    /// The type of the property.
    static var edmType: PrimitiveType { get }
    /// Whether the property may be null.
    static var isNullable: Bool { get }
    /// Reads the next column of a row.
    static func read(from row: inout RowCursor) throws -> Self
    /// Gives the next property its value.
    func bind(into binder: inout Binder)
}

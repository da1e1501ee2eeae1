// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
import TidelineStorage

/// Reads the columns of one row in order: the fast way out of a store.
///
/// It does not outlive the initialiser it is lent to.
@safe
public struct RowCursor {
    /// What a row of the file is read from, or `nil` for one in memory.
    private let statement: OpaquePointer?
    private let packed: PackedColumns?
    private let columns: [DeviceColumn]
    private var place: Int32 = 0
    /// How many columns of the statement stand between those of properties and the computed ones that follow here.
    private let gap: Int32
    private let firstComputed: Int32

    init(_ statement: Statement, _ columns: [DeviceColumn]) {
        unsafe self.statement = unsafe statement.handle
        packed = nil
        self.columns = columns
        (gap, firstComputed) = (0, .max)
    }

    /// - Parameter columns: those that are read: of the plan's properties, then of its computed values.
    init(_ statement: Statement, _ columns: [DeviceColumn], _ select: SelectStatement) {
        unsafe self.statement = unsafe statement.handle
        packed = nil
        self.columns = columns
        firstComputed = Int32(columns.count - select.computed.count)
        gap = Int32(select.properties.count) - firstComputed
    }

    init(_ packed: PackedColumns) {
        unsafe statement = nil
        self.packed = packed
        columns = packed.columns
        (gap, firstComputed) = (0, .max)
    }

    private var stored: PackedValue {
        if let statement = unsafe statement {
            return unsafe Statement.value(statement, place < firstComputed ? place : place + gap)
        }
        return packed?.value(Int(place)) ?? .null
    }

    private func unfit() -> LocalStoreError {
        let name = Int(place) < columns.count ? columns[Int(place)].property.names.wire : "column \(place)"
        return LocalStoreError(.corrupt, properties: [name], message: "'\(name)' has a value of another type.")
    }

    private mutating func value() throws -> Value {
        guard Int(place) < columns.count else { throw unfit() }
        defer { place += 1 }
        return try columns[Int(place)].value(stored)
    }

    /// Whether the next column is null; does not move on.
    public var isNull: Bool { if case .null = stored { true } else { false } }

    /// Passes over the next column.
    public mutating func skip() { place += 1 }

    /// Reads the next calculated property; `nil` where the read gave none, as that of a stored row alone.
    public mutating func calculated<Content: EntityValue>(_ type: Content.Type) throws -> Content? {
        guard Int(place) < columns.count else { return nil }
        return try Content?.read(from: &self)
    }

    /// Reads a Boolean.
    public mutating func boolean() throws -> Bool { try integer() != 0 }

    /// Reads an integer.
    public mutating func integer() throws -> Int64 {
        guard case .integer(let value) = stored else { throw unfit() }
        place += 1
        return value
    }

    /// Reads a floating-point number.
    public mutating func double() throws -> Double {
        switch stored {
        case .double(let value):
            place += 1
            return value
        case .integer(let value):
            place += 1
            return Double(value)
        default: throw unfit()
        }
    }

    /// Reads a string.
    public mutating func string() throws -> String {
        guard case .text(let text) = stored else { throw unfit() }
        place += 1
        return unsafe String(decoding: text, as: UTF8.self)
    }

    /// Reads bytes.
    public mutating func binary() throws -> [UInt8] {
        guard case .blob(let blob) = stored else { throw unfit() }
        place += 1
        return unsafe [UInt8](blob)
    }

    /// Reads a decimal.
    public mutating func decimal() throws -> EdmDecimal {
        guard case .decimal(let value) = try value() else { throw unfit() }
        return value
    }

    /// Reads a GUID.
    public mutating func guid() throws -> GUID {
        guard case .guid(let value) = try value() else { throw unfit() }
        return value
    }

    /// Reads a date.
    public mutating func date() throws -> CalendarDate {
        guard case .date(let value) = try value() else { throw unfit() }
        return value
    }

    /// Reads a time of day.
    public mutating func timeOfDay() throws -> TimeOfDay {
        guard case .timeOfDay(let value) = try value() else { throw unfit() }
        return value
    }

    /// Reads a moment.
    public mutating func dateTimeOffset() throws -> DateTimeOffset {
        guard case .dateTimeOffset(let value) = try value() else { throw unfit() }
        return value
    }

    /// Reads a duration.
    public mutating func duration() throws -> Duration {
        guard case .duration(let value) = try value() else { throw unfit() }
        return value
    }
}

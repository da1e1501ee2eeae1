// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TidelineModel
public import TidelineStore

extension UUID: PropertyValue {
    public static var edmType: PrimitiveType { .guid }
    public static var isNullable: Bool { false }
    public var edmValue: Value { .guid(GUID(self)) }

    /// Reads the next column.
    public static func read(from row: inout RowCursor) throws -> UUID { UUID(try row.guid()) }

    /// Gives the next property this value.
    public func bind(into binder: inout Binder) { binder.bind(GUID(self)) }

    /// The same 16 bytes.
    public init(_ guid: GUID) {
        func byte(_ half: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: half >> (56 - 8 * place)) }
        let (high, low) = (guid.high, guid.low)
        self.init(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
                byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            )
        )
    }
}

extension GUID {
    /// The same 16 bytes.
    public init(_ uuid: UUID) {
        let b = uuid.uuid
        func half(_ bytes: UInt8...) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(
            high: half(b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7),
            low: half(b.8, b.9, b.10, b.11, b.12, b.13, b.14, b.15)
        )
    }

    /// A new random identifier (UUID version 4).
    public static func random() -> GUID { GUID(UUID()) }
}

extension Date: PropertyValue {
    public static var edmType: PrimitiveType { .dateTimeOffset }
    public static var isNullable: Bool { false }
    public var edmValue: Value { .dateTimeOffset(DateTimeOffset(self)) }

    /// Reads the next column.
    public static func read(from row: inout RowCursor) throws -> Date { Date(try row.dateTimeOffset()) }

    /// Gives the next property this value.
    public func bind(into binder: inout Binder) { binder.bind(DateTimeOffset(self)) }

    /// The same moment, as exactly as a `Date` can say it (about a tenth of a microsecond today).
    public init(_ moment: DateTimeOffset) {
        self.init(timeIntervalSince1970: Double(moment.seconds) + Double(moment.nanoseconds) / 1_000_000_000)
    }
}

extension DateTimeOffset {
    /// The same moment, to the microsecond: a `Date` knows no more.
    public init(_ date: Date) {
        let microseconds = Int64((date.timeIntervalSince1970 * 1_000_000).rounded())
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(
            seconds: rest < 0 ? seconds - 1 : seconds,
            nanoseconds: Int32((rest < 0 ? rest + 1_000_000 : rest) * 1000)
        )
    }

    /// This moment, to the second: as databases keep it unless a precision is given.
    public static var now: DateTimeOffset { DateTimeOffset(seconds: Int64(Date().timeIntervalSince1970)) }
}

extension Data: PropertyValue {
    public static var edmType: PrimitiveType { .binary }
    public static var isNullable: Bool { false }
    public var edmValue: Value { .binary([UInt8](self)) }

    /// Reads the next column.
    public static func read(from row: inout RowCursor) throws -> Data { Data(try row.binary()) }

    /// Gives the next property this value.
    public func bind(into binder: inout Binder) { binder.bind([UInt8](self)) }
}

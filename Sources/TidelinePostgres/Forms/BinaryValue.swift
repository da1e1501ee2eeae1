// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// PostgreSQL's binary forms of values, read one by one.
///
/// Source: PostgreSQL 15, the `…_send` functions in `src/backend/utils/adt`.
enum BinaryValue {
    /// Days from 1970-01-01 to 2000-01-01, where PostgreSQL's clock begins.
    private static let epochDays = 10_957
    private static let epochSeconds: Int64 = 946_684_800

    /// `int2`, `int4` or `int8`.
    @inline(__always)
    static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        switch bytes.count {
        case 8: unsafe Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: unsafe Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 2: unsafe Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        default: nil
        }
    }

    /// `float4` or `float8`.
    @inline(__always)
    static func double(_ bytes: UnsafeRawBufferPointer) -> Double? {
        switch bytes.count {
        case 8: unsafe Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        case 4: unsafe Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
        default: nil
        }
    }

    /// `numeric` of up to 38 digits; neither infinities nor what is not a number.
    ///
    ///     ndigits | weight | sign | dscale | digits of base 10 000 …
    static func appendDecimal(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) -> Bool {
        guard bytes.count >= 8 else { return false }
        func word(_ place: Int) -> Int {
            unsafe Int(Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: place * 2, as: Int16.self)))
        }
        let count = word(0)
        let weight = word(1)
        let sign = word(2)
        guard sign == 0 || sign == 0x4000, bytes.count == 8 + count * 2 else { return false }
        guard count > 0 else {
            text.append(UInt8(ascii: "0"))
            return true
        }
        if sign != 0 { text.append(UInt8(ascii: "-")) }
        let start = text.count
        func append(_ group: Int) {
            var unit = 1000
            while unit > 0 {
                text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: group / unit % 10))
                unit /= 10
            }
        }
        guard weight < 12, weight - count > -14 else { return false }
        for place in 0..<max(weight + 1, 0) { append(place < count ? word(4 + place) : 0) }
        // The first group has leading zeros; before a point one stays.
        let leading = text[start...].prefix { $0 == UInt8(ascii: "0") }.count
        text.removeSubrange(start..<(start + leading))
        let wholeDigits = text.count - start
        if wholeDigits == 0 { text.append(UInt8(ascii: "0")) }
        guard count > weight + 1 else { return wholeDigits <= 38 }
        text.append(UInt8(ascii: "."))
        let point = text.count
        for _ in 0..<max(-weight - 1, 0) { append(0) }
        for place in max(weight + 1, 0)..<count { append(word(4 + place)) }
        while text.last == UInt8(ascii: "0"), text.count > point { text.removeLast() }
        let fraction = text.count - point
        if fraction == 0 { text.removeLast() }
        return wholeDigits + fraction <= 38
    }

    static func appendGUID(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) -> Bool {
        guard bytes.count == 16 else { return false }
        let high = unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        let low = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        GUID(high: high, low: low).append(to: &text)
        return true
    }

    /// `date`; infinity is none, nor is a day of a year that OData has no text for, such as 10000.
    static func appendDate(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) -> Bool {
        guard bytes.count == 4, let days = unsafe integer(bytes),
            CalendarDate.range.contains(days + Int64(epochDays))
        else { return false }
        CalendarDate(daysSinceEpoch: Int32(days) + Int32(epochDays)).append(to: &text)
        return true
    }

    /// `time`; 24:00 is no time of a day.
    static func appendTime(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) -> Bool {
        guard bytes.count == 8, let microseconds = unsafe integer(bytes), microseconds < 86_400_000_000 else {
            return false
        }
        TimeOfDay(nanoseconds: microseconds * 1000).append(to: &text)
        return true
    }

    /// `timestamp with time zone`, or one without in UTC; infinity is no moment, nor is one of a year such as 10000.
    static func appendMoment(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) -> Bool {
        guard bytes.count == 8, let microseconds = unsafe integer(bytes), microseconds != .max, microseconds != .min
        else { return false }
        var seconds = microseconds / 1_000_000
        var rest = microseconds % 1_000_000
        if rest < 0 {
            rest += 1_000_000
            seconds -= 1
        }
        let day = (seconds + epochSeconds) / 86_400 - ((seconds + epochSeconds) % 86_400 < 0 ? 1 : 0)
        guard CalendarDate.range.contains(day) else { return false }
        DateTimeOffset(seconds: seconds + epochSeconds, nanoseconds: Int32(rest * 1000)).append(to: &text)
        return true
    }

    /// `interval` without months, whose length nobody knows.
    static func appendDuration(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) -> Bool {
        guard bytes.count == 16 else { return false }
        let microseconds = unsafe Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        let days = unsafe Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int32.self))
        let months = unsafe Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: 12, as: Int32.self))
        guard months == 0 else { return false }
        let duration = Duration.seconds(Int64(days) * 86_400) + .microseconds(microseconds)
        duration.append(to: &text)
        return true
    }

    /// A value of a column whose property has a storage form of its own, as it lies there.
    static func stored(_ row: PostgresRow, _ column: Int) -> SQLValue {
        guard !row.isNull(column) else { return .null }
        let bytes = unsafe row.bytes(column)
        switch row.type(column) {
        case ColumnReader.TypeID.boolean: return .integer(unsafe bytes[0] != 0 ? 1 : 0)
        case ColumnReader.TypeID.int2, ColumnReader.TypeID.int4, ColumnReader.TypeID.int8:
            return unsafe integer(bytes).map(SQLValue.integer) ?? .null
        case ColumnReader.TypeID.float4, ColumnReader.TypeID.float8:
            return unsafe double(bytes).map(SQLValue.real) ?? .null
        case ColumnReader.TypeID.bytea: return unsafe .blob([UInt8](bytes))
        case ColumnReader.TypeID.numeric: return unsafe text(bytes, appendDecimal)
        case ColumnReader.TypeID.uuid: return unsafe text(bytes, appendGUID)
        case ColumnReader.TypeID.date: return unsafe text(bytes, appendDate)
        case ColumnReader.TypeID.timestamp, ColumnReader.TypeID.timestamptz:
            return unsafe text(bytes, appendMoment)
        default: return unsafe .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    private static func text(
        _ bytes: UnsafeRawBufferPointer,
        _ append: (UnsafeRawBufferPointer, inout [UInt8]) -> Bool
    ) -> SQLValue {
        var text: [UInt8] = []
        // What cannot be read is null's opposite: a text that is no value of any type.
        guard unsafe append(bytes, &text) else { return .text("unreadable") }
        return .text(String(decoding: text, as: UTF8.self))
    }
}

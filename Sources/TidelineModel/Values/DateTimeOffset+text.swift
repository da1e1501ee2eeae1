// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension DateTimeOffset {
    /// The moment at which a clock in UTC shows this day and time.
    public init(date: CalendarDate, time: TimeOfDay = TimeOfDay(nanoseconds: 0)) {
        self.init(
            seconds: Int64(date.daysSinceEpoch) * 86_400 + time.nanoseconds / 1_000_000_000,
            nanoseconds: Int32(time.nanoseconds % 1_000_000_000)
        )
    }

    /// The day in UTC.
    public var date: CalendarDate {
        let days = (seconds - DateTimeOffset.modulo(seconds, 86_400)) / 86_400
        return CalendarDate(daysSinceEpoch: Int32(clamping: days))
    }

    /// The time of day in UTC.
    public var time: TimeOfDay {
        TimeOfDay(nanoseconds: DateTimeOffset.modulo(seconds, 86_400) * 1_000_000_000 + Int64(nanoseconds))
    }

    /// The earliest moment that `mindatetime()` names: 0001-01-01T00:00:00Z.
    public static let earliest = DateTimeOffset(seconds: -62_135_596_800)
    /// The latest moment that `maxdatetime()` names: the last nanosecond of the year 9999.
    public static let latest = DateTimeOffset(seconds: 253_402_300_799, nanoseconds: 999_999_999)

    /// The seconds that have a text: years -9999 to 9999.
    static let range: ClosedRange<Int64> =
        CalendarDate.range.lowerBound * 86_400...(CalendarDate.range.upperBound * 86_400 + 86_399)

    private static func modulo(_ value: Int64, _ divisor: Int64) -> Int64 {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }

    /// The moment of `YYYY-MM-DD HH:MM:SS[.fff]` in UTC, the form of SQLite's `datetime()`; `T` and `Z` are taken too.
    package init?(sqlText utf8: Span<UInt8>) {
        var position = 0
        guard let date = CalendarDate.read(utf8, at: &position) else { return nil }
        guard position < utf8.count else {
            self.init(date: date)
            return
        }
        guard
            ASCII.skip(UInt8(ascii: " "), in: utf8, at: &position)
                || ASCII.skipLetter(UInt8(ascii: "T"), in: utf8, at: &position),
            let time = TimeOfDay.read(utf8, at: &position)
        else { return nil }
        _ = ASCII.skipLetter(UInt8(ascii: "Z"), in: utf8, at: &position)
        guard position == utf8.count else { return nil }
        self.init(date: date, time: time)
    }

    /// Appends `YYYY-MM-DD`, a separator and `hh:mm:ss[.fff]`, with no offset.
    package func appendClock(to bytes: inout [UInt8], separator: UInt8, fractionDigits: Int?) {
        date.append(to: &bytes)
        bytes.append(separator)
        time.append(to: &bytes, fractionDigits: fractionDigits)
    }

    /// Appends the text in UTC with exactly so many digits after the point, further ones cut off.
    public func append(to bytes: inout [UInt8], fractionDigits: Int?) {
        appendClock(to: &bytes, separator: UInt8(ascii: "T"), fractionDigits: fractionDigits)
        bytes.append(UInt8(ascii: "Z"))
    }
}

extension DateTimeOffset: CanonicalText {
    public init?(utf8: Span<UInt8>) {
        var position = 0
        var isLeap = false
        guard let date = CalendarDate.read(utf8, at: &position),
            ASCII.skipLetter(UInt8(ascii: "T"), in: utf8, at: &position),
            let time = TimeOfDay.read(utf8, at: &position, isLeap: &isLeap)
        else { return nil }
        let local = DateTimeOffset(date: date, time: time)
        if ASCII.skipLetter(UInt8(ascii: "Z"), in: utf8, at: &position) {
            guard position == utf8.count, !isLeap || DateTimeOffset.modulo(local.seconds, 86_400) == 0 else {
                return nil
            }
            self = local
            return
        }
        let isBehind = ASCII.skip(ASCII.minus, in: utf8, at: &position)
        guard isBehind || ASCII.skip(ASCII.plus, in: utf8, at: &position),
            let hours = ASCII.digits(2, in: utf8, at: &position), hours <= 14,
            ASCII.skip(ASCII.colon, in: utf8, at: &position),
            let minutes = ASCII.digits(2, in: utf8, at: &position), minutes < 60,
            position == utf8.count
        else { return nil }
        let offset = Int64(hours * 3600 + minutes * 60)
        let seconds = local.seconds + (isBehind ? offset : -offset)
        // A leap second is the last of a day in UTC and falls together with the first of the next.
        guard DateTimeOffset.range.contains(seconds), !isLeap || DateTimeOffset.modulo(seconds, 86_400) == 0 else {
            return nil
        }
        self.init(seconds: seconds, nanoseconds: local.nanoseconds)
    }

    public func append(to bytes: inout [UInt8]) {
        append(to: &bytes, fractionDigits: nil)
    }
}

extension DateTimeOffset: Comparable {
    public static func < (left: DateTimeOffset, right: DateTimeOffset) -> Bool {
        left.seconds == right.seconds ? left.nanoseconds < right.nanoseconds : left.seconds < right.seconds
    }
}

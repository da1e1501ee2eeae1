// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension CalendarDate {
    /// A day by its numbers, or `nil` when there is no such day; years -99999 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (-99_999...9999).contains(year), (1...12).contains(month),
            day >= 1, day <= CalendarDate.daysInMonth(month, year: year)
        else { return nil }
        // Days from civil: years begin in March, so that the leap day is the last of its year.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.init(daysSinceEpoch: Int32(era * 146_097 + dayOfEra - 719_468))
    }

    /// The year, month and day.
    public var components: (year: Int, month: Int, day: Int) {
        let days = Int(daysSinceEpoch) + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The days that have a text: 0000-01-01 less 9999 years to 9999-12-31.
    package static let range: ClosedRange<Int64> = -4_371_587...2_932_896

    private static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Reads `[-]YYYY-MM-DD` at `position` and moves it past.
    package static func read(_ utf8: Span<UInt8>, at position: inout Int) -> CalendarDate? {
        let isNegative = ASCII.skip(ASCII.minus, in: utf8, at: &position)
        guard var year = ASCII.digits(4, in: utf8, at: &position) else { return nil }
        // A fifth digit is in the grammar; no property holds such a year, but a filter can name it.
        if year >= 1000, position < utf8.count, let digit = ASCII.digit(utf8[position]) {
            year = year * 10 + digit
            position += 1
        }
        guard ASCII.skip(ASCII.minus, in: utf8, at: &position),
            let month = ASCII.digits(2, in: utf8, at: &position),
            ASCII.skip(ASCII.minus, in: utf8, at: &position),
            let day = ASCII.digits(2, in: utf8, at: &position)
        else { return nil }
        return CalendarDate(year: isNegative ? -year : year, month: month, day: day)
    }
}

extension CalendarDate: CanonicalText {
    public init?(utf8: Span<UInt8>) {
        var position = 0
        guard let date = CalendarDate.read(utf8, at: &position), position == utf8.count else { return nil }
        self = date
    }

    public func append(to bytes: inout [UInt8]) {
        let (year, month, day) = components
        if year < 0 { bytes.append(ASCII.minus) }
        ASCII.append(abs(year), width: 4, to: &bytes)
        bytes.append(ASCII.minus)
        ASCII.append(month, width: 2, to: &bytes)
        bytes.append(ASCII.minus)
        ASCII.append(day, width: 2, to: &bytes)
    }
}

extension CalendarDate: Comparable {
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        left.daysSinceEpoch < right.daysSinceEpoch
    }
}

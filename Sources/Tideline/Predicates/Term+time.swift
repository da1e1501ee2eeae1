// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Parts of a moment, in UTC.
extension Term where Content == DateTimeOffset {
    /// The day.
    public var date: Term<CalendarDate> { Term<CalendarDate>(.call(.date, [expression])) }

    /// The year.
    public var year: Term<Int32> { Term<Int32>(.call(.year, [expression])) }

    /// The month, 1 to 12.
    public var month: Term<Int32> { Term<Int32>(.call(.month, [expression])) }

    /// The day of the month, 1 to 31.
    public var day: Term<Int32> { Term<Int32>(.call(.day, [expression])) }

    /// The hour, 0 to 23.
    public var hour: Term<Int32> { Term<Int32>(.call(.hour, [expression])) }

    /// The minute, 0 to 59.
    public var minute: Term<Int32> { Term<Int32>(.call(.minute, [expression])) }
}

/// Parts of a day.
extension Term where Content == CalendarDate {
    /// The year.
    public var year: Term<Int32> { Term<Int32>(.call(.year, [expression])) }

    /// The month, 1 to 12.
    public var month: Term<Int32> { Term<Int32>(.call(.month, [expression])) }

    /// The day of the month, 1 to 31.
    public var day: Term<Int32> { Term<Int32>(.call(.day, [expression])) }
}

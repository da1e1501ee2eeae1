// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import TidelineModel

/// The time by this device's clock.
public enum DeviceClock {
    /// In whole milliseconds.
    public static var now: DateTimeOffset {
        let milliseconds = Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
        return DateTimeOffset(
            seconds: milliseconds / 1000,
            nanoseconds: Int32(milliseconds % 1000) * 1_000_000
        )
    }

    /// A time as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// Source: RFC 9110, section 5.6.7.
    static func httpDate(_ time: DateTimeOffset) -> String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let (year, month, day) = time.date.components
        let weekday = days[(Int(time.date.daysSinceEpoch) % 7 + 7) % 7]
        let clock = Int(time.time.nanoseconds / 1_000_000_000)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let hours = "\(two(clock / 3600)):\(two(clock / 60 % 60)):\(two(clock % 60))"
        return "\(weekday), \(two(day)) \(months[month - 1]) \(year) \(hours) GMT"
    }
}

extension DateTimeOffset {
    /// The time that lies a duration of zero or more later, in whole milliseconds.
    func advanced(by duration: Duration) -> DateTimeOffset {
        let (whole, attoseconds) = duration.components
        let milliseconds = Int64(nanoseconds / 1_000_000) + attoseconds / 1_000_000_000_000_000
        return DateTimeOffset(
            seconds: seconds + whole + milliseconds / 1000,
            nanoseconds: Int32(milliseconds % 1000) * 1_000_000
        )
    }
}

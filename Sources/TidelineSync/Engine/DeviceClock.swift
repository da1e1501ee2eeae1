// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import TidelineModel

/// The time by this device's clock.
public enum DeviceClock {
    public static var now: DateTimeOffset {
        DateTimeOffset(seconds: Int64(Date().timeIntervalSince1970.rounded(.down)))
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

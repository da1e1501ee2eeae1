// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The date of a mail: `Mon, 23 Nov 2026 13:14:31 +0000`.
///
/// Source: RFC 5322, section 3.3.
enum MailDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Parameter seconds: after 1970-01-01T00:00:00Z, a Thursday; not before it.
    static func text(_ seconds: Int64) -> String {
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let date = CalendarDate(daysSinceEpoch: Int32(clamping: days)).components
        func two(_ number: some BinaryInteger) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
        return "\(Self.days[Int(days % 7)]), \(two(date.day)) \(months[date.month - 1]) \(date.year) \(time) +0000"
    }
}

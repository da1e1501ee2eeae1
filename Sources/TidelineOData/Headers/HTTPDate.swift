// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// A time as HTTP writes it, in whole seconds: `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Source: RFC 9110, section 5.6.7, IMF-fixdate.
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The text of a time.
    package static func text(_ time: DateTimeOffset) -> String {
        let (year, month, day) = time.date.components
        let weekday = days[(Int(time.date.daysSinceEpoch) % 7 + 7) % 7]
        let clock = Int(time.time.nanoseconds / 1_000_000_000)
        let hours = "\(two(clock / 3600)):\(two(clock / 60 % 60)):\(two(clock % 60))"
        let zeros = String(repeating: "0", count: max(0, 4 - "\(year)".utf8.count))
        return "\(weekday), \(two(day)) \(months[month - 1]) \(zeros)\(year) \(hours) GMT"
    }

    /// The time of a text; `nil` for one of another form.
    ///
    /// Which day of the week it names does not matter, as long as it is one.
    package static func time(_ text: String) -> DateTimeOffset? {
        let parts = text.split(separator: " ")
        guard text.utf8.count == 29, parts.count == 6, days.contains(where: { parts[0] == "\($0)," }),
            let month = months.firstIndex(where: { $0 == parts[2] }),
            case .dateTimeOffset(let time)? = Value(
                text: "\(parts[3])-\(two(month + 1))-\(parts[1])T\(parts[4])Z",
                as: .dateTimeOffset
            ),
            self.text(time).dropFirst(3) == text.dropFirst(3)
        else { return nil }
        return time
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

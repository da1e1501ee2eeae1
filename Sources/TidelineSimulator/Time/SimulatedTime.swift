// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A moment of a simulation: nanoseconds since it began.
///
/// It passes only when nothing else is left to do, so a wait of days takes no time.
package struct SimulatedTime: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package static let start = SimulatedTime(nanoseconds: 0)

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The moment a while later; far beyond 200 years it stays where it is.
    package func advanced(by duration: Duration) -> SimulatedTime {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isBeyond) = nanoseconds.addingReportingOverflow(whole)
        let (moment, isPast) = sum.addingReportingOverflow(attoseconds / 1_000_000_000)
        return SimulatedTime(nanoseconds: isTooFar || isBeyond || isPast ? .max : moment)
    }

    /// The time from another moment to this one.
    package func since(_ other: SimulatedTime) -> Duration { .nanoseconds(nanoseconds - other.nanoseconds) }

    package static func < (one: SimulatedTime, other: SimulatedTime) -> Bool { one.nanoseconds < other.nanoseconds }
}

extension SimulatedTime: CustomStringConvertible {
    /// Seconds with three places: `12.345`.
    package var description: String {
        let milliseconds = nanoseconds / 1_000_000
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}

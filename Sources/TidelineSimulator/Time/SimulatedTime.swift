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
        return SimulatedTime(nanoseconds: isTooFar || isBeyond ? .max : sum &+ attoseconds / 1_000_000_000)
    }

    package static func < (one: SimulatedTime, other: SimulatedTime) -> Bool { one.nanoseconds < other.nanoseconds }
}

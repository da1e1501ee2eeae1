// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A Julian day number as SQLite reads it: a moment to the millisecond.
///
/// Source: SQLite, `date.c`: `iJD = r*86400000.0 + 0.5`.
struct JulianDay {
    /// The days, with a fraction.
    let value: Double
    /// The milliseconds since noon of 24 November 4714 BC.
    let milliseconds: Int64

    private static let perDay = 86_400_000.0
    /// 1970-01-01T00:00:00Z.
    private static let epoch: Int64 = 210_866_760_000_000
    /// To 9999-12-31T23:59:59.999Z, the range of SQLite's own functions.
    private static let range: ClosedRange<Int64> = 0...464_269_060_799_999

    init?(value: Double) {
        guard value >= 0, value < 5_373_485 else { return nil }
        self.value = value
        milliseconds = JulianDay.milliseconds(value)
    }

    /// The moment cut to its millisecond.
    init?(_ moment: DateTimeOffset) {
        let (scaled, overflow) = moment.seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return nil }
        let milliseconds = scaled + Int64(moment.nanoseconds / 1_000_000) + JulianDay.epoch
        guard JulianDay.range.contains(milliseconds) else { return nil }
        self.milliseconds = milliseconds
        value = Double(milliseconds) / JulianDay.perDay
    }

    var moment: DateTimeOffset { DateTimeOffset(milliseconds: milliseconds - JulianDay.epoch) }

    /// The least stored number that stands for this millisecond or a later one.
    ///
    /// So a comparison of moments becomes one of the column itself, which an index serves.
    func lowerBound(after count: Int64 = 0) -> Double {
        let wanted = milliseconds + count
        var bound = (Double(wanted) - 0.5) / JulianDay.perDay
        while JulianDay.milliseconds(bound) >= wanted { bound = bound.nextDown }
        while JulianDay.milliseconds(bound) < wanted { bound = bound.nextUp }
        return bound
    }

    private static func milliseconds(_ value: Double) -> Int64 { Int64((value * perDay + 0.5).rounded(.down)) }
}

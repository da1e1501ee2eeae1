// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A value of `Edm.Date`: a day of the proleptic Gregorian calendar.
public struct CalendarDate: Hashable, Sendable {
    /// Days after 1970-01-01, negative before it.
    ///
    /// Years -9999 to 9999 are in range.
    public let daysSinceEpoch: Int32

    public init(daysSinceEpoch: Int32) {
        self.daysSinceEpoch = daysSinceEpoch
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A value of `Edm.TimeOfDay`: a clock time from 00:00:00 to just before 24:00:00.
public struct TimeOfDay: Hashable, Sendable {
    /// Nanoseconds after midnight, 0 to 86,399,999,999,999.
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }
}

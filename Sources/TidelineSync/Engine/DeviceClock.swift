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

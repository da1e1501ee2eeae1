// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Times as the pages show them.
enum UTCText {
    /// `2026-11-21 13:31 UTC`.
    static func minute(_ seconds: Int64) -> String {
        let days = Int64((Double(seconds) / 86_400).rounded(.down))
        let minutes = (seconds - days * 86_400) / 60
        let date = CalendarDate(daysSinceEpoch: Int32(clamping: days)).text
        return "\(date) \(two(minutes / 60)):\(two(minutes % 60)) UTC"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Moments as text, in UTC.
enum UTCText {
    /// `2026-11-21 13:31 UTC`.
    ///
    /// Source: Howard Hinnant, chrono-compatible low-level date algorithms, `civil_from_days`.
    static func minute(_ seconds: Int64) -> String {
        let days = Int64((Double(seconds) / 86_400).rounded(.down))
        let minutes = (seconds - days * 86_400) / 60
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(year)-\(two(month))-\(two(day)) \(two(minutes / 60)):\(two(minutes % 60)) UTC"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

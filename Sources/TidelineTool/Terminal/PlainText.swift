// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Times and sizes as people say them.
enum PlainText {
    /// How long ago a time is: `2 min ago`; `just now` within five seconds, and for times to come.
    static func ago(_ time: DateTimeOffset, now: DateTimeOffset) -> String {
        let seconds = now.seconds - time.seconds
        return switch seconds {
        case ..<5: "just now"
        case ..<90: "\(seconds) s ago"
        case ..<5_400: "\((seconds + 30) / 60) min ago"
        case ..<129_600: "\((seconds + 1_800) / 3_600) h ago"
        default: "\((seconds + 43_200) / 86_400) days ago"
        }
    }

    /// The length of a span: `0.4 s`, `12 s`, `3 min`.
    static func span(from start: DateTimeOffset, to end: DateTimeOffset) -> String {
        let milliseconds =
            (end.seconds - start.seconds) * 1_000 + Int64(end.nanoseconds - start.nanoseconds) / 1_000_000
        if milliseconds < 0 { return "0.0 s" }
        if milliseconds < 10_000 { return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s" }
        return ProgressLine.time(Double(milliseconds) / 1_000)
    }

    /// A time of UTC to the second: `2026-11-22 14:02:11Z`.
    static func time(_ time: DateTimeOffset) -> String {
        let text = Value.dateTimeOffset(DateTimeOffset(seconds: time.seconds)).text ?? ""
        return text.replacing("T", with: " ", maxReplacements: 1)
    }

    /// A number of bytes, in steps of 1000: `512 B`, `1.2 kB`, `34 MB`.
    static func size(_ bytes: Int) -> String {
        var unit = "B"
        var tenths = max(0, bytes) * 10
        for next in ["kB", "MB", "GB", "TB"] where tenths >= 10_000 {
            (tenths, unit) = ((tenths + 500) / 1_000, next)
        }
        return unit == "B" || tenths >= 100 ? "\((tenths + 5) / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }

    /// What somebody else wrote, such as a service: no character of it moves the cursor.
    static func foreign(_ text: String) -> String { Output.Cell.text(text).plain }

    /// Names of somebody else's, in a sentence: `Phone, Fax and Mail`.
    static func list(_ names: [String]) -> String {
        let names = names.map(foreign)
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    /// A number with its noun: `1 row`, `2 rows`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(ProgressLine.grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }
}

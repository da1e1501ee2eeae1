// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Writes the canonical OData text of values as bytes, without a string in between.
///
/// Canonical: dates `2024-02-29`, times `13:05:09[.fff]`, moments `2024-02-29T13:05:09[.fff]Z`, with the given number of
/// fraction digits or as few as hold the value; decimals without an exponent and without needless zeros; GUIDs lower-case.
struct CanonicalText {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(64) }

    /// The text so far.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe bytes.withUnsafeBytes { unsafe try body($0) }
    }

    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Digits with leading zeros up to `width`.
    mutating func digits(_ value: Int64, width: Int) {
        var divisor: Int64 = 1
        for _ in 1..<max(width, 1) { divisor *= 10 }
        while value / divisor >= 10 { divisor *= 10 }
        var rest = value
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }

    /// A day by its number after 1970-01-01.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    mutating func date(daysSinceEpoch: Int64) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        if year < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(abs(year), width: 4)
        bytes.append(UInt8(ascii: "-"))
        digits(month, width: 2)
        bytes.append(UInt8(ascii: "-"))
        digits(day, width: 2)
    }

    /// A clock time.
    ///
    /// `fraction`: how many digits of the second's fraction, `nil` for as few as hold it.
    mutating func time(nanoseconds: Int64, fraction: Int?) {
        let seconds = nanoseconds / 1_000_000_000
        digits(seconds / 3600, width: 2)
        bytes.append(UInt8(ascii: ":"))
        digits(seconds / 60 % 60, width: 2)
        bytes.append(UInt8(ascii: ":"))
        digits(seconds % 60, width: 2)
        var rest = nanoseconds % 1_000_000_000
        var width = 9
        if let fraction {
            while width > max(fraction, 0) {
                rest /= 10
                width -= 1
            }
        } else {
            while width > 0, rest % 10 == 0 {
                rest /= 10
                width -= 1
            }
        }
        guard width > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        digits(rest, width: width)
    }

    /// A moment in UTC, with `T` and `Z`, or as SQLite writes it, with a space and nothing.
    mutating func moment(seconds: Int64, nanoseconds: Int64, fraction: Int?, sqlForm: Bool = false) {
        var days = seconds / 86_400
        var rest = seconds % 86_400
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        date(daysSinceEpoch: days)
        bytes.append(UInt8(ascii: sqlForm ? " " : "T"))
        time(nanoseconds: rest * 1_000_000_000 + nanoseconds, fraction: fraction)
        if !sqlForm { bytes.append(UInt8(ascii: "Z")) }
    }

    /// A number of `scale` decimal places, without needless zeros, or with exactly `scale` places.
    mutating func decimal(_ coefficient: Int128, scale: Int, fixed: Bool = false) {
        var coefficient = coefficient
        var scale = scale
        if !fixed {
            while scale > 0, coefficient % 10 == 0 {
                coefficient /= 10
                scale -= 1
            }
        }
        if coefficient < 0 { bytes.append(UInt8(ascii: "-")) }
        var magnitude = coefficient.magnitude
        var reversed: [UInt8] = []
        reversed.reserveCapacity(40)
        var place = 0
        repeat {
            if place == scale, scale > 0 { reversed.append(UInt8(ascii: ".")) }
            let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
            reversed.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: remainder))
            magnitude = quotient
            place += 1
        } while magnitude > 0 || place <= scale
        bytes.append(contentsOf: reversed.reversed())
    }

    /// The same for numbers that fit 64 bits, where nearly all do.
    mutating func decimal(_ coefficient: Int64, scale: Int) {
        var coefficient = coefficient
        var scale = scale
        while scale > 0, coefficient % 10 == 0 {
            coefficient /= 10
            scale -= 1
        }
        if coefficient < 0 { bytes.append(UInt8(ascii: "-")) }
        var magnitude = coefficient.magnitude
        let start = bytes.count
        var place = 0
        repeat {
            if place == scale, scale > 0 { bytes.append(UInt8(ascii: ".")) }
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10))
            magnitude /= 10
            place += 1
        } while magnitude > 0 || place <= scale
        bytes[start...].reverse()
    }

    /// A GUID as `8-4-4-4-12` digits.
    mutating func guid(high: UInt64, low: UInt64, upperCase: Bool = false) {
        let letters = UInt8(ascii: upperCase ? "A" : "a") - 10
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 { bytes.append(UInt8(ascii: "-")) }
            let word = place < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - place % 16 * 4)) & 15
            bytes.append(digit < 10 ? digit + UInt8(ascii: "0") : digit + letters)
        }
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads the parts of dates, times, decimals and GUIDs from bytes.
///
/// Each method moves past what it read, or returns `nil`.
@safe
struct TextCursor {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// - Parameter bytes: valid as long as this value is used.
    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    var isAtEnd: Bool { unsafe position == bytes.count }

    private var current: UInt8? { unsafe position < bytes.count ? bytes[position] : nil }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Exactly `count` digits.
    mutating func digits(_ count: Int) -> Int64? {
        guard unsafe position + count <= bytes.count else { return nil }
        var value: Int64 = 0
        for _ in 0..<count {
            let digit = unsafe bytes[position] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
            position += 1
        }
        return value
    }

    /// `YYYY-MM-DD`, as days after 1970-01-01.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
    mutating func date() -> Int64? {
        let isNegative = skip("-")
        guard let digitsOfYear = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2) else {
            return nil
        }
        let year = isNegative ? -digitsOfYear : digitsOfYear
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        guard (1...12).contains(month), day >= 1 else { return nil }
        let length: Int64 =
            switch month {
            case 2: isLeap ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        guard day <= length else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// `HH:MM[:SS[.fff]]`, as nanoseconds after midnight, and how many digits the fraction has.
    mutating func time() -> (nanoseconds: Int64, fraction: Int)? {
        guard let hour = digits(2), skip(":"), let minute = digits(2), hour < 24, minute < 60 else { return nil }
        var seconds = hour * 3600 + minute * 60
        guard skip(":") else { return (seconds * 1_000_000_000, 0) }
        guard let second = digits(2), second < 60 else { return nil }
        seconds += second
        guard skip(".") else { return (seconds * 1_000_000_000, 0) }
        guard let (fraction, width) = fraction() else { return nil }
        return (seconds * 1_000_000_000 + fraction, width)
    }

    /// One to nine digits after a point, as nanoseconds; more digits are read when they are zeros.
    private mutating func fraction() -> (Int64, Int)? {
        var value: Int64 = 0
        var width = 0
        while let byte = current, byte &- UInt8(ascii: "0") < 10 {
            let digit = Int64(byte - UInt8(ascii: "0"))
            if width < 9 {
                value = value * 10 + digit
            } else if digit != 0 {
                return nil
            }
            width += 1
            position += 1
        }
        guard width > 0 else { return nil }
        for _ in min(width, 9)..<9 { value *= 10 }
        return (value, min(width, 9))
    }

    /// `Z`, `±HH:MM` or nothing where `isOptional`, as seconds east of UTC.
    mutating func offset(isOptional: Bool) -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isWest: Bool
        if skip("-") {
            isWest = true
        } else if skip("+") {
            isWest = false
        } else {
            return isOptional ? 0 : nil
        }
        guard let hours = digits(2), skip(":"), let minutes = digits(2), hours <= 14, minutes < 60 else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    /// A decimal number, an exponent allowed.
    ///
    /// `nil` also beyond 38 digits.
    mutating func decimal() -> (coefficient: Int128, scale: Int)? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        var coefficient: Int128 = 0
        var scale = 0
        var digitCount = 0
        var isAfterPoint = false
        while let byte = current {
            if byte == UInt8(ascii: "."), !isAfterPoint {
                isAfterPoint = true
            } else if byte &- UInt8(ascii: "0") < 10 {
                let (product, overflow) = coefficient.multipliedReportingOverflow(by: 10)
                let (sum, overflowAgain) = product.addingReportingOverflow(Int128(byte - UInt8(ascii: "0")))
                guard !overflow, !overflowAgain else { return nil }
                coefficient = sum
                digitCount += 1
                if isAfterPoint { scale += 1 }
            } else {
                break
            }
            position += 1
        }
        guard digitCount > 0 else { return nil }
        if skip("e") || skip("E") {
            let isDown = skip("-")
            if !isDown { _ = skip("+") }
            var exponent = 0
            var exponentDigits = 0
            while let byte = current, byte &- UInt8(ascii: "0") < 10, exponentDigits < 4 {
                exponent = exponent * 10 + Int(byte - UInt8(ascii: "0"))
                exponentDigits += 1
                position += 1
            }
            guard exponentDigits > 0 else { return nil }
            scale += isDown ? exponent : -exponent
        }
        while scale < 0 {
            let (product, overflow) = coefficient.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            coefficient = product
            scale += 1
        }
        while scale > 38 {
            guard coefficient % 10 == 0 else { return nil }
            coefficient /= 10
            scale -= 1
        }
        return (isNegative ? -coefficient : coefficient, scale)
    }

    /// A GUID as `8-4-4-4-12` digits of either case, and whether a letter of each case was seen.
    mutating func guid() -> (high: UInt64, low: UInt64, hasUpper: Bool, hasLower: Bool)? {
        var words: (UInt64, UInt64) = (0, 0)
        var hasUpper = false
        var hasLower = false
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 { guard skip("-") else { return nil } }
            guard let byte = current else { return nil }
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                digit = byte - UInt8(ascii: "a") + 10
                hasLower = true
            case UInt8(ascii: "A")...UInt8(ascii: "F"):
                digit = byte - UInt8(ascii: "A") + 10
                hasUpper = true
            default: return nil
            }
            if place < 16 { words.0 = words.0 << 4 | UInt64(digit) } else { words.1 = words.1 << 4 | UInt64(digit) }
            position += 1
        }
        return (words.0, words.1, hasUpper, hasLower)
    }

    /// `[-]P[nD][T[nH][nM][n[.fff]S]]`, as whole seconds and nanoseconds of one sign.
    mutating func duration() -> (seconds: Int64, nanoseconds: Int64)? {
        let isNegative = skip("-")
        guard skip("P") else { return nil }
        var seconds: Int64 = 0
        var nanoseconds: Int64 = 0
        var parts = 0
        var isTime = false
        var units: [(Unicode.Scalar, Int64)] = [("D", 86_400)]
        while !isAtEnd {
            if !isTime, skip("T") {
                isTime = true
                units = [("H", 3600), ("M", 60), ("S", 1)]
                guard !isAtEnd else { return nil }
            }
            var value: Int64 = 0
            var width = 0
            while let byte = current, byte &- UInt8(ascii: "0") < 10 {
                guard width < 14 else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
                width += 1
                position += 1
            }
            guard width > 0 else { return nil }
            if isTime, skip(".") {
                guard let (fraction, _) = fraction(), skip("S"), isAtEnd else { return nil }
                nanoseconds = fraction
                seconds += value
                parts += 1
                break
            }
            guard let place = units.firstIndex(where: { skip($0.0) }) else { return nil }
            seconds += value * units[place].1
            units.removeSubrange(...place)
            parts += 1
        }
        guard parts > 0, isAtEnd else { return nil }
        return isNegative ? (-seconds, -nanoseconds) : (seconds, nanoseconds)
    }
}

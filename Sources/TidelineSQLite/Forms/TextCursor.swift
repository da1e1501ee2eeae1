// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Reads the parts of moments, and decimals, as databases hold them.
///
/// Each method moves past what it read, or returns `nil`.
@safe
struct TextCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// - Parameter bytes: valid as long as this value is used.
    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes.assumingMemoryBound(to: UInt8.self) }

    var isAtEnd: Bool { unsafe position == bytes.count }

    private var current: UInt8? { unsafe position < bytes.count ? bytes[position] : nil }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Exactly `count` digits.
    private mutating func digits(_ count: Int) -> Int64? {
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

    /// `YYYY-MM-DD`.
    mutating func date() -> CalendarDate? {
        guard let date = unsafe CalendarDate.read(bytes.span, at: &position),
            CalendarDate.range.contains(Int64(date.daysSinceEpoch))
        else { return nil }
        return date
    }

    /// `HH:MM[:SS[.fff]]`, and how many digits the fraction has, nine at most.
    mutating func time() -> (time: TimeOfDay, fraction: Int)? {
        let start = position
        guard let time = unsafe TimeOfDay.read(bytes.span, at: &position) else { return nil }
        return (time, min(max(0, position - start - "HH:MM:SS.".utf8.count), 9))
    }

    /// Day, separator, time and offset, to the end: with `T`, or with a space as SQLite writes it, and then without an
    /// offset too.
    mutating func moment(isSQL: Bool) -> DateTimeOffset? {
        guard let date = date(), skip(isSQL ? " " : "T"), let (time, _) = time(),
            let offset = offset(isOptional: isSQL), isAtEnd
        else { return nil }
        let local = DateTimeOffset(date: date, time: time)
        return DateTimeOffset(seconds: local.seconds - offset, nanoseconds: local.nanoseconds)
    }

    /// `Z`, `±HH:MM` or nothing where `isOptional`, as seconds east of UTC.
    private mutating func offset(isOptional: Bool) -> Int64? {
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
    mutating func decimal() -> EdmDecimal? {
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
        return EdmDecimal(coefficient: isNegative ? -coefficient : coefficient, scale: scale)
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Digits and letters as bytes, for the readers and writers of values.
enum ASCII {
    static let zero = UInt8(ascii: "0")
    static let nine = UInt8(ascii: "9")
    static let minus = UInt8(ascii: "-")
    static let plus = UInt8(ascii: "+")
    static let point = UInt8(ascii: ".")
    static let colon = UInt8(ascii: ":")

    /// The value of a decimal digit, or `nil`.
    @inline(__always)
    static func digit(_ byte: UInt8) -> Int? {
        byte >= zero && byte <= nine ? Int(byte &- zero) : nil
    }

    /// The value of a hexadecimal digit of either case, or `nil`.
    @inline(__always)
    static func hexDigit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case zero...nine: UInt64(byte &- zero)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte &- UInt8(ascii: "a") &+ 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte &- UInt8(ascii: "A") &+ 10)
        default: nil
        }
    }

    /// Reads exactly `count` digits at `position` and moves it past them.
    static func digits(_ count: Int, in text: Span<UInt8>, at position: inout Int) -> Int? {
        guard position + count <= text.count else { return nil }
        var value = 0
        for place in position..<(position + count) {
            guard let digit = digit(text[place]) else { return nil }
            value = value * 10 + digit
        }
        position += count
        return value
    }

    /// Moves past one byte if it stands at `position`.
    static func skip(_ byte: UInt8, in text: Span<UInt8>, at position: inout Int) -> Bool {
        guard position < text.count, text[position] == byte else { return false }
        position += 1
        return true
    }

    /// Moves past one letter of either case if it stands at `position`; `upper` is its upper-case form.
    static func skipLetter(_ upper: UInt8, in text: Span<UInt8>, at position: inout Int) -> Bool {
        guard position < text.count, text[position] & 0xDF == upper else { return false }
        position += 1
        return true
    }

    /// Reads a fraction's digits (the point is past) as nanoseconds; digits after the ninth must be zeros.
    static func fraction(in text: Span<UInt8>, at position: inout Int) -> Int64? {
        let start = position
        var value: Int64 = 0
        while position < text.count, let digit = digit(text[position]) {
            if position - start < 9 {
                value = value * 10 + Int64(digit)
            } else if digit != 0 {
                return nil
            }
            position += 1
        }
        let count = position - start
        guard count > 0 else { return nil }
        for _ in 0..<max(0, 9 - count) { value *= 10 }
        return value
    }

    /// Appends a number that is not negative with at least `width` digits.
    static func append(_ value: Int, width: Int, to bytes: inout [UInt8]) {
        if width == 2, value < 100 {
            bytes.append(zero + UInt8(truncatingIfNeeded: value / 10))
            bytes.append(zero + UInt8(truncatingIfNeeded: value % 10))
            return
        }
        let start = bytes.count
        var rest = value
        var count = 0
        while rest > 0 || count < width {
            bytes.append(zero + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            count += 1
        }
        bytes[start...].reverse()
    }

    /// Appends `.` and the digits of a fraction: the fewest that hold it, or exactly `width`; nothing for no digits.
    static func appendFraction(nanoseconds: Int, width: Int?, to bytes: inout [UInt8]) {
        var rest = nanoseconds
        var digits = 9
        if let width {
            guard width > 0 else { return }
            while digits > width {
                rest /= 10
                digits -= 1
            }
        } else {
            guard rest > 0 else { return }
            while rest % 10 == 0 {
                rest /= 10
                digits -= 1
            }
        }
        bytes.append(point)
        append(rest, width: digits, to: &bytes)
        if let width, width > 9 { bytes.append(contentsOf: repeatElement(zero, count: width - 9)) }
    }

    /// Appends a signed number in decimal digits.
    static func append<Number: BinaryInteger>(_ value: Number, to bytes: inout [UInt8]) {
        var rest = value.magnitude
        if value < 0 { bytes.append(minus) }
        let start = bytes.count
        repeat {
            bytes.append(zero + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        if bytes.count - start > 1 { bytes[start...].reverse() }
    }
}

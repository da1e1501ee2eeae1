// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension EdmDecimal: CanonicalText {
    /// The most significant digits that a value has.
    public static let maxDigits = 38

    /// Reads `[sign] digits [. digits] [e [sign] digits]`.
    ///
    /// `nil` also for more than 38 significant digits, and for `INF` and `NaN`, which no store holds exactly.
    public init?(utf8: Span<UInt8>) {
        var position = 0
        let isNegative = ASCII.skip(ASCII.minus, in: utf8, at: &position)
        if !isNegative { _ = ASCII.skip(ASCII.plus, in: utf8, at: &position) }
        // Up to 18 digits fit a machine word: the fast path of nearly every value.
        var word: Int64 = 0
        var wide: Int128 = 0
        var digits = 0
        var places = 0
        var zeros = 0
        var seenPoint = false
        let start = position
        while position < utf8.count {
            let byte = utf8[position]
            guard let digit = ASCII.digit(byte) else {
                guard byte == ASCII.point, !seenPoint, position > start else { break }
                seenPoint = true
                position += 1
                guard position < utf8.count, ASCII.digit(utf8[position]) != nil else { return nil }
                continue
            }
            position += 1
            if seenPoint, digit == 0 {
                zeros += 1  // Counted only when another digit follows: trailing zeros carry nothing but scale.
                continue
            }
            for value in zeros > 0 ? [Int](repeating: 0, count: zeros) + [digit] : [digit] {
                if digits > 0 || value > 0 { digits += 1 }
                guard digits <= EdmDecimal.maxDigits else { return nil }
                if digits <= 18 {
                    word = word * 10 + Int64(value)
                } else {
                    if digits == 19 { wide = Int128(word) }
                    wide = wide * 10 + Int128(value)
                }
                if seenPoint { places += 1 }
            }
            zeros = 0
        }
        guard position > start else { return nil }
        var coefficient = digits <= 18 ? Int128(word) : wide
        if isNegative { coefficient = -coefficient }
        if position < utf8.count {
            guard ASCII.skipLetter(UInt8(ascii: "E"), in: utf8, at: &position),
                let exponent = EdmDecimal.exponent(in: utf8, at: &position), position == utf8.count
            else { return nil }
            places -= exponent
        } else {
            // The written scale is kept where there is room, so that 1.50 stays 1.50 in a value that is only passed on.
            let kept = min(zeros, EdmDecimal.maxDigits - max(digits, places))
            if zeros > 0, kept > 0, let scaled = EdmDecimal.multiplied(coefficient, byPowerOfTen: kept) {
                coefficient = scaled
                places += kept
            }
        }
        if places < 0 {
            guard coefficient != 0 else {
                self.init(coefficient: 0)
                return
            }
            guard let scaled = EdmDecimal.multiplied(coefficient, byPowerOfTen: -places) else { return nil }
            coefficient = scaled
            places = 0
        }
        while places > EdmDecimal.maxDigits, coefficient % 10 == 0, coefficient != 0 {
            coefficient /= 10
            places -= 1
        }
        if coefficient == 0 { places = min(places, EdmDecimal.maxDigits) }
        guard places <= EdmDecimal.maxDigits else { return nil }
        self.init(coefficient: coefficient, scale: places)
    }

    private static func exponent(in utf8: Span<UInt8>, at position: inout Int) -> Int? {
        let isNegative = ASCII.skip(ASCII.minus, in: utf8, at: &position)
        if !isNegative { _ = ASCII.skip(ASCII.plus, in: utf8, at: &position) }
        let start = position
        var value = 0
        while position < utf8.count, let digit = ASCII.digit(utf8[position]) {
            value = min(value * 10 + digit, 1_000_000)
            position += 1
        }
        return position > start ? (isNegative ? -value : value) : nil
    }

    /// Appends the digits, without exponent and without zeros at the end of the fraction: `-12.5`, `0.001`, `100`.
    public func append(to bytes: inout [UInt8]) {
        if let small = Int64(exactly: coefficient) {
            EdmDecimal.append(digits: small.magnitude, isNegative: small < 0, scale: scale, to: &bytes)
        } else {
            EdmDecimal.append(digits: coefficient.magnitude, isNegative: coefficient < 0, scale: scale, to: &bytes)
        }
    }

    /// In words of one size: most numbers fit 64 bits, in which a division takes a fifth of the time.
    private static func append<Number: FixedWidthInteger & UnsignedInteger>(
        digits: Number,
        isNegative: Bool,
        scale: Int,
        to bytes: inout [UInt8]
    ) {
        var (digits, scale) = (digits, scale)
        while scale > 0, digits % 10 == 0 {
            digits /= 10
            scale -= 1
        }
        if isNegative { bytes.append(ASCII.minus) }
        let start = bytes.count
        var rest = digits
        var count = 0
        while rest > 0 || count <= scale {
            if count == scale, scale > 0 { bytes.append(ASCII.point) }
            bytes.append(ASCII.zero + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            count += 1
        }
        bytes[start...].reverse()
    }

    /// The decimal that a database's floating-point number is read as: its first 15 significant digits, so that the
    /// sum of 0.1 and 0.2 is 0.3; `nil` when not finite.
    public init?(real value: Double) {
        guard let shortest = EdmDecimal(shortest: value) else { return nil }
        let digits = EdmDecimal.digitCount(shortest.coefficient.magnitude)
        guard value.magnitude < 1e15, digits > 15 else {
            self = shortest
            return
        }
        self = shortest.rounded(toPlaces: max(0, shortest.scale - (digits - 15))).normalized
    }

    private static func digitCount(_ magnitude: UInt128) -> Int {
        var rest = magnitude
        var count = 0
        while rest > 0 {
            rest /= 10
            count += 1
        }
        return count
    }

    /// The number whose shortest text a floating-point number has: 0.1 for 0.1; `nil` when not finite or too long.
    public init?(shortest value: Double) {
        guard value.isFinite else { return nil }
        if let whole = Int64(exactly: value), whole.magnitude < 1_000_000_000_000_000 {
            self.init(coefficient: Int128(whole))
            return
        }
        self.init(value.description)
    }

    /// The nearest floating-point number.
    public var double: Double {
        // Both exact in a Double: then one correctly rounded division.
        if scale <= 22, coefficient.magnitude <= 9_007_199_254_740_992 {
            return Double(Int64(coefficient)) / EdmDecimal.powersOfTen[scale]
        }
        return Double(text) ?? .nan
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}

extension EdmDecimal: Comparable {
    public static func < (left: EdmDecimal, right: EdmDecimal) -> Bool { compare(left, right) < 0 }

    /// Negative, zero or positive, as `left` is less than, equal to or greater than `right`.
    public static func compare(_ left: EdmDecimal, _ right: EdmDecimal) -> Int {
        if left.scale == right.scale {
            return left.coefficient == right.coefficient ? 0 : left.coefficient < right.coefficient ? -1 : 1
        }
        if left.coefficient.signum() != right.coefficient.signum() {
            return left.coefficient < right.coefficient ? -1 : 1
        }
        let difference = left.scale - right.scale
        let scaled =
            difference < 0
            ? multiplied(left.coefficient, byPowerOfTen: -difference)
            : multiplied(right.coefficient, byPowerOfTen: difference)
        // When the one with fewer places does not fit after scaling, it is the larger magnitude.
        guard let scaled else {
            return (difference < 0) == (left.coefficient > 0) ? 1 : -1
        }
        let (first, second) = difference < 0 ? (scaled, right.coefficient) : (left.coefficient, scaled)
        return first == second ? 0 : first < second ? -1 : 1
    }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Arithmetic with 38 digits.
///
/// A result that needs more digits loses places after the point, rounded half away from zero; one that has more than
/// 38 digits before the point is `nil`. The rules are those of expressions on every evaluator.
extension EdmDecimal {
    /// The most digits after the point of a quotient.
    public static let quotientScale = 20

    /// The sum, or `nil` when it does not fit.
    public static func + (left: EdmDecimal, right: EdmDecimal) -> EdmDecimal? {
        sum(left, right, isNegated: false)
    }

    /// The difference, or `nil` when it does not fit.
    public static func - (left: EdmDecimal, right: EdmDecimal) -> EdmDecimal? {
        sum(left, right, isNegated: true)
    }

    /// The number with the other sign.
    public static prefix func - (value: EdmDecimal) -> EdmDecimal {
        EdmDecimal(coefficient: -value.coefficient, scale: value.scale)
    }

    /// The product, or `nil` when it does not fit.
    public static func * (left: EdmDecimal, right: EdmDecimal) -> EdmDecimal? {
        let isNegative = (left.coefficient < 0) != (right.coefficient < 0)
        let (high, low) = left.coefficient.magnitude.multipliedFullWidth(by: right.coefficient.magnitude)
        return fitted(high: high, low: low, scale: left.scale + right.scale, isNegative: isNegative)
    }

    /// The quotient, rounded half away from zero to 20 digits after the point, fewer where 38 digits do not hold them.
    ///
    /// `nil` when `right` is zero.
    public static func / (left: EdmDecimal, right: EdmDecimal) -> EdmDecimal? {
        guard right.coefficient != 0 else { return nil }
        let isNegative = (left.coefficient < 0) != (right.coefficient < 0)
        let divisor = right.coefficient.magnitude
        // left / right = (left × 10^shift / right) × 10^-(shift + left.scale - right.scale)
        var places = quotientScale
        while places >= 0 {
            if let quotient = quotient(left, divisor, scale: right.scale, places: places) {
                let value = Int128(quotient)
                return EdmDecimal(coefficient: isNegative ? -value : value, scale: places).normalized
            }
            places -= 1
        }
        return nil
    }

    /// The magnitude of the quotient times ten to `places`, rounded, or `nil` when it has more than 38 digits.
    private static func quotient(_ left: EdmDecimal, _ divisor: UInt128, scale: Int, places: Int) -> UInt128? {
        let shift = places - left.scale + scale
        let numerator = left.coefficient.magnitude
        if shift < 0 {
            // Dividing by divisor × 10^-shift; when that does not fit, the quotient is below one half.
            guard let power = power(-shift) else { return 0 }
            let (wide, overflow) = divisor.multipliedReportingOverflow(by: power)
            guard !overflow else { return 0 }
            return rounded(numerator.quotientAndRemainder(dividingBy: wide), divisor: wide)
        }
        var high: UInt128 = 0
        var low = numerator
        var rest = shift
        while rest > 0 {
            guard let power = power(min(rest, 38)) else { return nil }
            let product = low.multipliedFullWidth(by: power)
            let (carried, overflow) = high.multipliedReportingOverflow(by: power)
            let (sum, tooMuch) = carried.addingReportingOverflow(product.high)
            guard !overflow, !tooMuch else { return nil }
            (high, low) = (sum, product.low)
            rest -= min(rest, 38)
        }
        guard high < divisor else { return nil }
        let value = rounded(divisor.dividingFullWidth((high, low)), divisor: divisor)
        return value <= largest ? value : nil
    }

    private static func rounded(
        _ division: (quotient: UInt128, remainder: UInt128),
        divisor: UInt128
    ) -> UInt128 {
        division.remainder >= divisor - division.remainder ? division.quotient + 1 : division.quotient
    }

    /// The remainder with the sign of `left`; `nil` when `right` is zero.
    public static func % (left: EdmDecimal, right: EdmDecimal) -> EdmDecimal? {
        guard right.coefficient != 0 else { return nil }
        let scale = max(left.scale, right.scale)
        guard let divisor = multiplied(right.coefficient, byPowerOfTen: scale - right.scale) else {
            // The divisor is larger than any value with that many places.
            return left
        }
        guard let numerator = multiplied(left.coefficient, byPowerOfTen: scale - left.scale) else {
            return wideRemainder(left, divisor: divisor.magnitude, scale: scale)
        }
        return EdmDecimal(coefficient: numerator % divisor, scale: scale).normalized
    }

    private static func wideRemainder(_ left: EdmDecimal, divisor: UInt128, scale: Int) -> EdmDecimal {
        var rest = left.coefficient.magnitude % divisor
        for _ in 0..<(scale - left.scale) {
            let product = rest.multipliedFullWidth(by: 10)
            rest = divisor.dividingFullWidth((product.high % divisor, product.low)).remainder
        }
        let value = Int128(rest)
        return EdmDecimal(coefficient: left.coefficient < 0 ? -value : value, scale: scale).normalized
    }

    /// The number with at most `places` digits after the point, rounded half away from zero.
    public func rounded(toPlaces places: Int = 0) -> EdmDecimal {
        rounded(toPlaces: places, .toNearestOrAwayFromZero)
    }

    /// The number with at most `places` digits after the point.
    ///
    /// - Parameter rule: `up` (ceiling), `down` (floor), `towardZero`, or else half away from zero.
    public func rounded(toPlaces places: Int, _ rule: FloatingPointRoundingRule) -> EdmDecimal {
        guard scale > places, let power = EdmDecimal.power(scale - places) else { return self }
        let divisor = Int128(power)
        let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: divisor)
        let step: Int128 =
            switch rule {
            case .up: remainder > 0 ? 1 : 0
            case .down: remainder < 0 ? -1 : 0
            case .towardZero: 0
            default: remainder.magnitude >= power - remainder.magnitude ? Int128(coefficient.signum()) : 0
            }
        return EdmDecimal(coefficient: quotient + step, scale: places)
    }

    /// Whether the number has no digit after the point but zeros.
    public var isWhole: Bool { normalized.scale == 0 }

    /// The coefficient at another scale, or `nil` when digits would be lost or there are too many.
    public func coefficient(atScale scale: Int) -> Int128? {
        let value = normalized
        guard scale >= value.scale else { return nil }
        return EdmDecimal.multiplied(value.coefficient, byPowerOfTen: scale - value.scale)
    }

    // MARK: - Steps

    private static let largest: UInt128 = 99_999_999_999_999_999_999_999_999_999_999_999_999

    /// Ten to a power of 0 to 38, or `nil` outside.
    static func power(_ exponent: Int) -> UInt128? {
        guard (0...38).contains(exponent) else { return nil }
        var power: UInt128 = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }

    /// `nil` when the product has more than 38 digits.
    static func multiplied(_ value: Int128, byPowerOfTen exponent: Int) -> Int128? {
        guard exponent > 0 else { return value }
        guard let power = power(exponent) else { return value == 0 ? 0 : nil }
        let (product, overflow) = value.multipliedReportingOverflow(by: Int128(power))
        return overflow || product.magnitude > largest ? nil : product
    }

    private static func sum(_ left: EdmDecimal, _ right: EdmDecimal, isNegated: Bool) -> EdmDecimal? {
        var places = max(left.scale, right.scale)
        while places >= 0 {
            // Only values beyond 38 digits at the common scale go through more than one turn.
            let first = left.rounded(toPlaces: places)
            let second = right.rounded(toPlaces: places)
            if let first = multiplied(first.coefficient, byPowerOfTen: places - first.scale),
                let second = multiplied(second.coefficient, byPowerOfTen: places - second.scale)
            {
                let total = isNegated ? first - second : first + second  // At most 2 × 10³⁸ − 2: checked below.
                if total.magnitude <= largest { return EdmDecimal(coefficient: total, scale: places) }
            }
            places -= 1
        }
        return nil
    }

    /// A magnitude of 256 bits cut to 38 digits.
    private static func fitted(high: UInt128, low: UInt128, scale: Int, isNegative: Bool) -> EdmDecimal? {
        for drop in max(0, scale - maxDigits)...max(0, scale) {
            let value: UInt128
            if drop == 0 {
                guard high == 0 else { continue }
                value = low
            } else {
                // Beyond 38 places in one division: the product is below 10⁷⁶, so that two steps reach it.
                guard let power = power(min(drop, 38)), high < power else { continue }
                var division = power.dividingFullWidth((high, low))
                var divisor = power
                if drop > 38, let second = EdmDecimal.power(drop - 38) {
                    division = division.quotient.quotientAndRemainder(dividingBy: second)
                    divisor = second
                }
                value = rounded(division, divisor: divisor)
            }
            guard value <= largest else { continue }
            let coefficient = Int128(value)
            return EdmDecimal(coefficient: isNegative ? -coefficient : coefficient, scale: scale - drop)
        }
        return nil
    }
}

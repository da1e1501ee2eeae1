// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A value of `Edm.Decimal`: `coefficient` × 10⁻`scale`, up to 38 significant digits, exact.
///
/// Equality, order and hashing are numeric: 1.50 equals 1.5.
public struct EdmDecimal: Sendable {
    // Two words and no Int128: that would align every value, and every list of values, to 16 bytes, which the allocator
    // takes twice as long for.
    private let high: Int64
    private let low: UInt64
    /// How many of the digits stand after the point, 0 to 38.
    public let scale: Int

    /// The number `coefficient` divided by ten to the power of `scale`.
    public init(coefficient: Int128, scale: Int = 0) {
        high = Int64(truncatingIfNeeded: coefficient >> 64)
        low = UInt64(truncatingIfNeeded: coefficient)
        self.scale = scale
    }

    /// All digits, with the sign.
    public var coefficient: Int128 { Int128(high) << 64 | Int128(low) }

    /// The same number with no trailing zero after the point.
    public var normalized: EdmDecimal {
        var coefficient = coefficient
        var scale = scale
        while scale > 0, coefficient % 10 == 0 {
            coefficient /= 10
            scale -= 1
        }
        return EdmDecimal(coefficient: coefficient, scale: scale)
    }
}

extension EdmDecimal: Hashable {
    public static func == (left: EdmDecimal, right: EdmDecimal) -> Bool {
        let left = left.normalized
        let right = right.normalized
        return left.coefficient == right.coefficient && left.scale == right.scale
    }

    public func hash(into hasher: inout Hasher) {
        let normalized = normalized
        hasher.combine(normalized.coefficient)
        hasher.combine(normalized.scale)
    }
}

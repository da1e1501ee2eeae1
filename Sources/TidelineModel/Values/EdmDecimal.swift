// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A value of `Edm.Decimal`: `coefficient` × 10⁻`scale`, up to 38 significant digits, exact.
///
/// Equality, order and hashing are numeric: 1.50 equals 1.5.
public struct EdmDecimal: Sendable {
    /// All digits, with the sign.
    public let coefficient: Int128
    /// How many of the digits stand after the point, 0 to 38.
    public let scale: Int

    public init(coefficient: Int128, scale: Int = 0) {
        self.coefficient = coefficient
        self.scale = scale
    }

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

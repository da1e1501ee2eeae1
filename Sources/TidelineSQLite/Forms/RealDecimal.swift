// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Decimals that a column holds as floating-point numbers.
enum RealDecimal {
    private static let powers: [Double] = (0...15).map { pow(10, Double($0)) }

    /// The decimal that a double stands for: the one of at most 15 significant digits, as SQLite itself shows it.
    ///
    /// `scale`: the most digits after the point, or `nil` for as many as there are.
    /// - Returns: `nil` for infinities and where the number has more digits after the point.
    static func digits(of value: Double, scale: Int?) -> (coefficient: Int64, scale: Int)? {
        guard value.isFinite, abs(value) < 1e15 else { return nil }
        // The shortest way: scaled, it is whole, and dividing gives the same double back.
        for places in 0...min(scale ?? 6, 6) {
            let scaled = (value * powers[places]).rounded()
            if abs(scaled) < 1e15, scaled / powers[places] == value { return (Int64(scaled), places) }
        }
        // Fifteen significant digits hold what was meant by 0.1 + 0.2.
        let magnitude = abs(value) < 1e-15 ? -15 : Int(log10(abs(value)).rounded(.down))
        let places = min(max(14 - magnitude, 0), 15)
        var coefficient = Int64((value * powers[places]).rounded())
        var found = places
        while found > 0, coefficient % 10 == 0 {
            coefficient /= 10
            found -= 1
        }
        if let scale, found > scale { return nil }
        return (coefficient, found)
    }

    /// The double of a decimal, or `nil` where it has more digits than a double keeps.
    static func double(coefficient: Int128, scale: Int) -> Double? {
        guard coefficient.magnitude < 1_000_000_000_000_000, scale <= 22 else { return nil }
        return scale <= 15
            ? Double(Int64(coefficient)) / powers[scale] : Double(Int64(coefficient)) / pow(10, Double(scale))
    }
}

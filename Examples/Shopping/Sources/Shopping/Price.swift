// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// Prices as people write and read them.
public enum Price {
    /// Why a text is no price.
    public enum Mistake: Error, Hashable, Sendable {
        case empty
        case notANumber
    }

    private static let currency = "$"

    /// The number of a text such as `3.99` or `$3.99`.
    ///
    /// - Throws: ``Mistake``.
    public static func read(_ text: String) throws(Mistake) -> EdmDecimal {
        var rest = text.filter { !$0.isWhitespace }
        if rest.hasPrefix(currency) { rest.removeFirst(currency.count) }
        guard !rest.isEmpty else { throw .empty }
        // Plain digits alone: no exponents, and no comma, which means one thing here and another there.
        guard rest.allSatisfy({ "0123456789.-".contains($0) }), let price = EdmDecimal(rest) else { throw .notANumber }
        return price
    }

    /// A price with its currency and two digits of cents: `$3.50`.
    public static func shown(_ price: EdmDecimal) -> String {
        guard let cents = price.rounded(toPlaces: 2).coefficient(atScale: 2) else { return currency + price.text }
        let (whole, part) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
        return (cents < 0 ? "-" : "") + currency + "\(whole)." + (part < 10 ? "0" : "") + "\(part)"
    }
}

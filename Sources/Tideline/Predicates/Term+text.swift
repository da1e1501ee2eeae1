// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Functions of text. They compare by the bytes of UTF-8, so letter case counts.
extension Term where Content == String {
    /// Whether the text contains another one.
    public func contains(_ text: String) -> Condition { condition(.contains, text) }

    /// Whether the text begins with another one.
    public func hasPrefix(_ text: String) -> Condition { condition(.startswith, text) }

    /// Whether the text ends with another one.
    public func hasSuffix(_ text: String) -> Condition { condition(.endswith, text) }

    /// The text in lower case.
    public func lowercased() -> Term { Term(.call(.tolower, [expression])) }

    /// The text in upper case.
    public func uppercased() -> Term { Term(.call(.toupper, [expression])) }

    /// The text without white space at its ends.
    public func trimmed() -> Term { Term(.call(.trim, [expression])) }

    /// The number of Unicode characters (code points).
    public var count: Term<Int32> { Term<Int32>(.call(.length, [expression])) }

    private func condition(_ function: Expression.Function, _ text: String) -> Condition {
        Condition(.call(function, [expression, .literal(.string(text))]))
    }
}

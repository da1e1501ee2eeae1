// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Comparisons without regard to letter case: both sides in lower case, by the one table that Tideline has.
extension Term where Content == String {
    /// Whether the text contains another one in any letter case.
    public func containsIgnoringCase(_ text: String) -> Condition { ignoringCase(.contains, text) }

    /// Whether the text begins with another one in any letter case.
    public func hasPrefixIgnoringCase(_ text: String) -> Condition { ignoringCase(.startswith, text) }

    /// Whether the text ends with another one in any letter case.
    public func hasSuffixIgnoringCase(_ text: String) -> Condition { ignoringCase(.endswith, text) }

    /// Whether the text is another one in any letter case.
    public func equalsIgnoringCase(_ text: String) -> Condition {
        Condition(.binary(.equal, lowercased().expression, .literal(.string(TextFunctions.lower(text)))))
    }

    private func ignoringCase(_ function: Expression.Function, _ text: String) -> Condition {
        Condition(.call(function, [lowercased().expression, .literal(.string(TextFunctions.lower(text)))]))
    }
}

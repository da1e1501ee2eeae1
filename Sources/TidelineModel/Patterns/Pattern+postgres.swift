// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension Pattern {
    /// The same pattern as an advanced regular expression of PostgreSQL, for `~` under the collation "C".
    ///
    /// Nothing of the written text is taken over: each class is written out as ranges of characters, so that no rule
    /// of locale, no escape and no option of PostgreSQL has a say.
    /// Source: PostgreSQL 15, section 9.7.3.
    package var postgresText: String {
        var text = "***:"
        PostgresPattern.append(root, to: &text)
        return text
    }
}

private enum PostgresPattern {
    static func append(_ node: PatternNode, to text: inout String) {
        switch node {
        case .empty: text += "(?:)"
        case .characters(let set): append(set, to: &text)
        case .start: text += "\\A"
        case .end: text += "\\Z"
        case .boundary(let isNegated):
            let word = "[0-9A-Z_a-z]"
            text +=
                isNegated
                ? "(?:(?<=\(word))(?=\(word))|(?<!\(word))(?!\(word)))"
                : "(?:(?<=\(word))(?!\(word))|(?<!\(word))(?=\(word)))"
        case .sequence(let terms):
            for term in terms { group(term, to: &text) }
        case .alternatives(let branches):
            for (place, branch) in branches.enumerated() {
                if place > 0 { text += "|" }
                group(branch, to: &text)
            }
        case .repetition(let inner, let least, let most):
            text += "(?:"
            append(inner, to: &text)
            text += "){\(least),\(most.map(String.init) ?? "")}"
        }
    }

    private static func group(_ node: PatternNode, to text: inout String) {
        guard case .alternatives = node else { return append(node, to: &text) }
        text += "(?:"
        append(node, to: &text)
        text += ")"
    }

    private static func append(_ set: ScalarSet, to text: inout String) {
        // PostgreSQL has no character 0, and no surrogates; a set of nothing is a look-ahead that always fails.
        let ranges = set.ranges.flatMap { range -> [ClosedRange<UInt32>] in
            let low = max(range.lowerBound, 1)
            guard low <= range.upperBound else { return [] }
            var parts: [ClosedRange<UInt32>] = []
            if low <= 0xD7FF { parts.append(low...min(range.upperBound, 0xD7FF)) }
            if range.upperBound >= 0xE000 { parts.append(max(low, 0xE000)...range.upperBound) }
            return parts
        }
        guard !ranges.isEmpty else {
            text += "(?!)"
            return
        }
        text += "["
        for range in ranges {
            append(range.lowerBound, to: &text)
            guard range.count > 1 else { continue }
            text += "-"
            append(range.upperBound, to: &text)
        }
        text += "]"
    }

    private static func append(_ scalar: UInt32, to text: inout String) {
        let digits = String(scalar, radix: 16)
        text += scalar > 0xFFFF ? "\\U" : "\\u"
        text += String(repeating: "0", count: (scalar > 0xFFFF ? 8 : 4) - digits.count) + digits
    }
}

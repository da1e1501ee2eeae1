// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension SearchExpression {
    /// The value of `$search`, not percent-encoded: what reads back as the same expression.
    public var text: String { text(over: 0) }

    /// The same inside the options of `$expand`, where a semicolon would end it.
    var nestedText: String { text(over: 0) }

    private func text(over minimum: Int) -> String {
        let own: String
        let level: Int
        switch self {
        case .word(let word): (own, level) = (SearchExpression.isPlain(word) ? word : SearchExpression.quoted(word), 3)
        case .phrase(let phrase): (own, level) = (SearchExpression.quoted(phrase), 3)
        case .not(let inner): (own, level) = ("NOT \(inner.text(over: 3))", 2)
        case .and(let left, let right): (own, level) = ("\(left.text(over: 1)) AND \(right.text(over: 2))", 1)
        case .or(let left, let right): (own, level) = ("\(left.text(over: 0)) OR \(right.text(over: 1))", 0)
        }
        return level < minimum ? "(\(own))" : own
    }

    /// A phrase with a double quote in it can only be a text in single quotes.
    private static func quoted(_ phrase: String) -> String {
        guard phrase.utf8.contains(UInt8(ascii: "\"")) || phrase.isEmpty else { return "\"\(phrase)\"" }
        return phrase.quoted(by: "'")
    }

    private static func isPlain(_ word: String) -> Bool {
        guard !["AND", "OR", "NOT"].contains(word), !word.isEmpty, word.utf8.first != UInt8(ascii: "'") else {
            return false
        }
        return word.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"()\";#&".utf8.contains($0) }
    }
}

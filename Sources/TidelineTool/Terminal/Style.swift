// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a colour means on the terminal; each meaning also has a mark and a word.
enum Style {
    enum Meaning {
        case inStep, pending, conflict, refused, dim, strong

        fileprivate var code: String {
            switch self {
            case .inStep: "32"
            case .pending: "33"
            case .conflict: "35"
            case .refused: "31"
            case .dim: "2"
            case .strong: "1"
            }
        }
    }

    /// The text, in the colour of its meaning where colours are allowed.
    static func apply(_ meaning: Meaning, _ text: String, colour: Bool) -> String {
        colour ? "\u{1B}[\(meaning.code)m\(text)\u{1B}[0m" : text
    }

    /// The mark of a meaning: its shape, for readers without colour.
    static func mark(_ meaning: Meaning) -> String {
        switch meaning {
        case .inStep: "✓"
        case .pending: "…"
        case .conflict: "≠"
        case .refused: "✗"
        case .dim, .strong: "·"
        }
    }
}

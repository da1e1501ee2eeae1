// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A text that is typed, with a place where the next character goes.
public struct TextField: Hashable, Sendable {
    /// What was typed.
    public private(set) var text: String
    /// How many characters stand before the next one.
    public private(set) var place: Int
    /// Longer texts are told to be too long; this only bounds what a paste can bring.
    private static let mostCharacters = 2000

    /// A field with a text, and the place at its end.
    public init(_ text: String = "") {
        self.text = text
        place = text.count
    }

    /// Types a key.
    ///
    /// - Returns: false for a key that means nothing in a field.
    public mutating func type(_ key: Key) -> Bool {
        switch key {
        case .character(let character):
            guard text.count < Self.mostCharacters else { return true }
            text.insert(character, at: index(place))
            // A mark that joins the character before adds none.
            place = min(place + 1, text.count)
        case .backspace:
            guard place > 0 else { return true }
            place -= 1
            text.remove(at: index(place))
        case .delete:
            guard place < text.count else { return true }
            text.remove(at: index(place))
        case .left: place = max(0, place - 1)
        case .right: place = min(text.count, place + 1)
        case .home: place = 0
        case .end: place = text.count
        case .up, .down, .enter, .escape, .tab, .backTab, .interrupt: return false
        }
        return true
    }

    private func index(_ place: Int) -> String.Index { text.index(text.startIndex, offsetBy: place) }
}

// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Texts as a terminal can be given them.
enum TerminalText {
    /// Without characters that command a terminal: names come from other people.
    static func safe(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
                        // Joiners of emoji and scripts are format characters too, and harmless.
                        scalar == "\u{200D}" || scalar == "\u{200C}" ? scalar : "\u{FFFD}"
                    default: scalar
                    }
                }
            )
        )
    }

    /// How many columns a text takes.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// Wide characters of East Asia and emoji take two columns, as terminals draw them.
    ///
    /// Source: Unicode Standard Annex #11.
    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }

    /// The text in so many columns at the most, with `…` for what is cut off.
    static func clipped(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var clipped = ""
        var used = 0
        for character in text {
            used += width(character)
            guard used < columns else { break }
            clipped.append(character)
        }
        return clipped + "…"
    }

    /// The text in rows of so many columns at the most, broken at blanks; a longer word is broken where the row ends.
    ///
    /// Further rows begin below the first letter of the first.
    static func wrapped(_ text: String, to columns: Int) -> [String] {
        guard width(text) > columns, columns > 0 else { return [text] }
        let blanks = text.prefix { $0 == " " }
        let indent = blanks.count * 2 < columns ? String(blanks) : ""
        var rows: [String] = []
        var row = indent
        for word in text.split(separator: " ") {
            if row != indent, width(row) + 1 + width(String(word)) <= columns {
                row += " " + word
                continue
            }
            if row != indent { rows.append(row) }
            row = indent
            for character in word {
                if row != indent, width(row) + width(character) > columns {
                    rows.append(row)
                    row = indent
                }
                row.append(character)
            }
        }
        return rows + [row]
    }

    /// The text with blanks up to so many columns.
    static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - width(text)))
    }
}

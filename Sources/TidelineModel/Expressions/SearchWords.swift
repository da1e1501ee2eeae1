// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The words of a text, as `$search` compares them where a full-text index is turned on.
///
///     "Émile's BIKE-shop"  →  emile, s, bike, shop
///
/// A word is a run of letters and digits (the categories L, N and Co of Unicode). Letters are lower-case, and Latin ones
/// without their marks. The rules are those of SQLite's tokenizer `unicode61 remove_diacritics 2`, which cannot be given
/// others, so that the evaluator, SQLite and PostgreSQL find the same. They part only at letters that came after
/// Unicode 6.1, at Cherokee, and at letters with marks that bear a second form of case (`ǡ`, `ẛ`).
package enum SearchWords {
    /// The words in the order of the text.
    package static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        func end() {
            if !word.isEmpty { words.append(String(word)) }
            word = String.UnicodeScalarView()
        }
        for scalar in text.unicodeScalars {
            if isMark(scalar) { continue }
            guard isPart(scalar) else {
                end()
                continue
            }
            word.append(contentsOf: folded(scalar))
        }
        end()
        return words
    }

    /// Whether words stand side by side in a text.
    package static func contains(_ text: String, _ wanted: [String]) -> Bool {
        guard !wanted.isEmpty else { return false }
        let words = words(text)
        guard words.count >= wanted.count else { return false }
        return (0...(words.count - wanted.count)).contains { words[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }

    /// Whether a scalar is part of a word.
    package static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return switch scalar {
            case "0"..."9", "A"..."Z", "a"..."z": true
            default: false
            }
        }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }

    /// The combining marks that count as nothing.
    package static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard (0x300...0x331).contains(scalar.value) else { return false }
        return 0x3_61F8_0802_9FDF >> UInt64(scalar.value - 0x300) & 1 == 1
    }

    /// The letter that stands for a scalar of a word.
    package static func folded(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        guard let first = lower.first, !first.isASCII || lower.count > 1 else { return lower }
        var result = String.UnicodeScalarView()
        for scalar in lower where !isMark(scalar) { result.append(folds[scalar] ?? scalar) }
        return result
    }

    /// The lower-case letters with marks and others that stand for another letter.
    package static let folds: [Unicode.Scalar: Unicode.Scalar] = {
        // Letters of a second form, as full case folding has them.
        var folds: [Unicode.Scalar: Unicode.Scalar] = [
            "µ": "μ", "ſ": "s", "ς": "σ", "ϐ": "β", "ϑ": "θ", "ϕ": "φ", "ϖ": "π", "ϰ": "κ", "ϱ": "ρ", "ϵ": "ε",
            "\u{1FBE}": "ι",
        ]
        // Texts are equal when they are canonically: that tells which letter is which other with a mark.
        var composed: [String: Unicode.Scalar] = [:]
        for value in Array(0xC0...0x24F) + Array(0x1E00...0x1EFF) {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            if scalar.properties.lowercaseMapping == String(scalar) { composed[String(scalar)] = scalar }
        }
        let marks = (0x300...0x36F).compactMap { Unicode.Scalar(UInt32($0)) }
        var bases = ("a"..."z" as ClosedRange<Unicode.Scalar>).map { ($0, $0) }
        while let (letter, plain) = bases.popLast() {
            for mark in marks {
                var text = String.UnicodeScalarView([letter])
                text.append(mark)
                guard let whole = composed[String(text)], folds[whole] == nil else { continue }
                folds[whole] = plain
                bases.append((whole, plain))
            }
        }
        return folds
    }()
}

extension ClosedRange where Bound == Unicode.Scalar {
    fileprivate func map<Result>(_ transform: (Unicode.Scalar) -> Result) -> [Result] {
        (lowerBound.value...upperBound.value).compactMap { Unicode.Scalar($0) }.map(transform)
    }
}

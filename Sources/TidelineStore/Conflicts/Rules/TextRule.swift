// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Two edits of one text, put together where they do not touch.
///
///     base    the red house        by words
///     mine    the old red house
///     theirs  the red barn         ->   the old red barn
///
/// Source: Khanna, Kunal, Pierce, "A Formal Investigation of Diff3", FSTTCS 2007, section 2: the parts that base, mine
/// and theirs have in common divide the texts; between two of them at most one side may differ from the base.
enum TextRule {
    /// What is merged as a whole.
    enum Unit {
        /// Runs of letters, digits and the like, each run of white space, and each other character.
        case words
        /// Lines, and apart from them what ends each.
        case lines
    }

    /// - Returns: `nil` for what is no text, for edits that overlap or stand side by side, and for texts that are too
    ///   different to be compared.
    static func join(_ base: Value, _ mine: Value, _ theirs: Value, by unit: Unit) -> Value? {
        guard case .string(let base) = base, case .string(let mine) = mine, case .string(let theirs) = theirs,
            let ours = TextEdit.edits(from: parts(base, unit), to: parts(mine, unit)),
            let others = TextEdit.edits(from: parts(base, unit), to: parts(theirs, unit))
        else { return nil }
        guard let edits = merged(ours, others) else { return nil }
        var rest = parts(base, unit)[...]
        var bytes: [UInt8] = []
        for edit in edits {
            bytes += (rest[rest.startIndex..<edit.range.lowerBound] + edit.replacement).joined()
            rest = rest[edit.range.upperBound...]
        }
        return .string(String(decoding: bytes + rest.joined(), as: UTF8.self))
    }

    /// The edits of both sides in their order, the same edit once; `nil` where two touch.
    private static func merged(_ ours: [TextEdit], _ others: [TextEdit]) -> [TextEdit]? {
        var joined: [TextEdit] = []
        var (ours, others) = (ours[...], others[...])
        while let next = [ours.first, others.first].compactMap({ $0 }).min(by: { $0.isBefore($1) }) {
            if ours.first == next { ours.removeFirst() }
            if others.first == next { others.removeFirst() }
            if let last = joined.last, last.range.upperBound >= next.range.lowerBound { return nil }
            joined.append(next)
        }
        return joined
    }

    static func parts(_ text: String, _ unit: Unit) -> [TextPart] {
        var parts: [TextPart] = []
        var last: Kind?
        for character in text {
            let kind = Kind(character, unit)
            if let last, last == kind, kind.runs {
                parts[parts.count - 1] += character.utf8
            } else {
                parts.append(Array(character.utf8))
            }
            last = kind
        }
        return parts
    }

    /// What a character is a part of.
    private enum Kind {
        case word, space, mark, line, lineEnd

        init(_ character: Character, _ unit: Unit) {
            switch unit {
            case .lines: self = character.isNewline ? .lineEnd : .line
            case .words where character.isWhitespace: self = .space
            case .words: self = character.isLetter || character.isNumber || character == "_" ? .word : .mark
            }
        }

        var runs: Bool { self == .word || self == .space || self == .line }
    }
}

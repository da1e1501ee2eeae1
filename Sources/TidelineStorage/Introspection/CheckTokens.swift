// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A token of a CHECK constraint.
package enum CheckToken: Equatable {
    /// A keyword or a name, without its quotes.
    case name(String)
    case text(String)
    case integer(Int64)
    /// A number that is no integer.
    case number
    case mark(String)
}

/// Cuts the text of CREATE TABLE into the tokens of its constraints.
///
/// Source: SQLite, "The Tokenizer" and "CREATE TABLE".
enum CheckTokens {
    /// The tokens inside the parentheses of each CHECK.
    ///
    /// `hasBrackets`: whether a name may stand in brackets, as SQLite takes it.
    static func checks(in sql: String, hasBrackets: Bool = true) -> [[CheckToken]] {
        let tokens = all(Array(sql.utf8), hasBrackets)
        var checks: [[CheckToken]] = []
        var place = 0
        while place + 1 < tokens.count {
            guard words(tokens[place...place]) == "CHECK", tokens[place + 1] == .mark("(") else {
                place += 1
                continue
            }
            var depth = 0
            let start = place + 2
            place += 1
            repeat {
                if tokens[place] == .mark("(") { depth += 1 }
                if tokens[place] == .mark(")") { depth -= 1 }
                place += 1
            } while depth > 0 && place < tokens.count
            if depth == 0 { checks.append(Array(tokens[start..<place - 1])) }
        }
        return checks
    }

    /// Without parentheses around the whole.
    static func unwrapped(_ tokens: [CheckToken]) -> [CheckToken] {
        guard tokens.count > 2, tokens.first == .mark("("), tokens.last == .mark(")") else { return tokens }
        var depth = 0
        for (place, token) in tokens.enumerated() {
            if token == .mark("(") { depth += 1 }
            if token == .mark(")") { depth -= 1 }
            if depth == 0, place < tokens.count - 1 { return tokens }
        }
        return unwrapped(Array(tokens.dropFirst().dropLast()))
    }

    /// The parts between AND, that of BETWEEN aside; one part where there is an OR.
    static func conjuncts(_ tokens: [CheckToken]) -> [[CheckToken]] {
        var parts: [[CheckToken]] = [[]]
        var depth = 0
        var isBetween = false
        for token in tokens {
            if token == .mark("(") { depth += 1 }
            if token == .mark(")") { depth -= 1 }
            let word = depth == 0 ? words([token]) : ""
            if word == "OR" || word == "NOT" { return [] }
            if word == "AND", !isBetween {
                parts.append([])
                continue
            }
            if word == "BETWEEN" { isBetween = true } else if word == "AND" { isBetween = false }
            parts[parts.count - 1].append(token)
        }
        return parts
    }

    /// Bare names in upper case with blanks between; empty where something else is among them.
    static func words(_ tokens: some Sequence<CheckToken>) -> String {
        var words: [String] = []
        for token in tokens {
            guard case .name(let name) = token else { return "" }
            words.append(name.uppercased())
        }
        return words.joined(separator: " ")
    }

    /// The parts between words at the outermost level.
    static func parts(_ tokens: [CheckToken], between separator: String) -> [[CheckToken]] {
        var parts: [[CheckToken]] = [[]]
        var depth = 0
        for token in tokens {
            if token == .mark("(") { depth += 1 }
            if token == .mark(")") { depth -= 1 }
            if depth == 0, words([token]) == separator {
                parts.append([])
            } else {
                parts[parts.count - 1].append(token)
            }
        }
        return parts
    }

    private static func all(_ bytes: [UInt8], _ hasBrackets: Bool) -> [CheckToken] {
        var tokens: [CheckToken] = []
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "[") where !hasBrackets, UInt8(ascii: "]") where !hasBrackets:
                tokens.append(.mark(byte == UInt8(ascii: "[") ? "[" : "]"))
                place += 1
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
                let text = quoted(bytes, &place)
                tokens.append(byte == UInt8(ascii: "'") ? .text(text) : .name(text))
            case UInt8(ascii: "-") where place + 1 < bytes.count && bytes[place + 1] == byte:
                while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
            case UInt8(ascii: "/") where place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "*"):
                place += 2
                while place + 1 < bytes.count,
                    bytes[place] != UInt8(ascii: "*") || bytes[place + 1] != UInt8(ascii: "/")
                {
                    place += 1
                }
                place += 2
            case 0...32: place += 1
            case _ where isWord(byte): tokens.append(word(bytes, &place))
            default: tokens.append(mark(bytes, &place, after: tokens.last))
            }
        }
        return tokens
    }

    private static func quoted(_ bytes: [UInt8], _ place: inout Int) -> String {
        let close = bytes[place] == UInt8(ascii: "[") ? UInt8(ascii: "]") : bytes[place]
        var text: [UInt8] = []
        place += 1
        while place < bytes.count {
            if bytes[place] == close {
                guard close != UInt8(ascii: "]"), place + 1 < bytes.count, bytes[place + 1] == close else { break }
                place += 1
            }
            text.append(bytes[place])
            place += 1
        }
        place += 1
        return String(decoding: text, as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte >= 0x30 && byte <= 0x39 || byte == 0x5F || byte >= 0x80
            || byte == 0x2E
    }

    private static func word(_ bytes: [UInt8], _ place: inout Int) -> CheckToken {
        let start = place
        while place < bytes.count, isWord(bytes[place]) { place += 1 }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        guard bytes[start] >= 0x30 && bytes[start] <= 0x39 || bytes[start] == 0x2E else { return .name(text) }
        return Int64(text).map(CheckToken.integer) ?? .number
    }

    /// A mark of one or two characters; a sign before digits, where no value stands before it, is part of the number.
    private static func mark(_ bytes: [UInt8], _ place: inout Int, after last: CheckToken?) -> CheckToken {
        let takesSign =
            switch last {
            case .mark(let before)?: before != ")"
            case .name(let before)?: ["BETWEEN", "AND"].contains(before.uppercased())
            default: false
            }
        if takesSign, bytes[place] == UInt8(ascii: "-"), place + 1 < bytes.count, bytes[place + 1] >= 0x30,
            bytes[place + 1] <= 0x39
        {
            place += 1
            guard case .integer(let number) = word(bytes, &place) else { return .number }
            return .integer(-number)
        }
        let pair = place + 1 < bytes.count ? String(decoding: bytes[place...place + 1], as: UTF8.self) : ""
        if ["<=", ">=", "<>", "!=", "==", "||", "::"].contains(pair) {
            place += 2
            return .mark(pair)
        }
        place += 1
        return .mark(String(decoding: [bytes[place - 1]], as: UTF8.self))
    }
}

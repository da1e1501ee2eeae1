// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionReader {
    /// Reads the value of `$search`, up to what ends it.
    ///
    /// Source: OData ABNF construction rules, `searchExpr`, `searchExpr-incomplete`; precedence: OData URL Conventions
    /// 4.01, section 5.1.8: NOT, then AND, then OR.
    mutating func search() throws(ODataError) -> SearchExpression {
        text.skipBlanks()
        if text.next == UInt8(ascii: "'") { return .phrase(try text.singleQuoted()) }
        searchTerms = 0
        return try searchDisjunction()
    }

    private mutating func searchDisjunction() throws(ODataError) -> SearchExpression {
        try enter()
        defer { depth -= 1 }
        var left = try searchConjunction()
        while isOperator("OR") {
            passOperator("OR")
            let right = try searchConjunction()
            left = .or(left, right)
        }
        return left
    }

    private mutating func searchConjunction() throws(ODataError) -> SearchExpression {
        var left = try searchTerm()
        while true {
            if isOperator("OR") { return left }
            if isOperator("AND") {
                passOperator("AND")
            } else {
                let start = text.offset
                guard text.skipBlanks() > 0, beginsTerm else {
                    text.offset = start
                    return left
                }
            }
            left = .and(left, try searchTerm())
        }
    }

    private mutating func searchTerm() throws(ODataError) -> SearchExpression {
        searchTerms += 1
        guard searchTerms <= 200 else { throw text.tooComplex("There are more than 200 terms of $search.") }
        if text.skip("(") {
            text.skipBlanks()
            let inner = try searchDisjunction()
            text.skipBlanks()
            guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
            return inner
        }
        if text.next == UInt8(ascii: "\"") { return .phrase(try searchPhrase()) }
        let start = text.offset
        guard let word = searchWord() else { throw text.error("A word to search is missing.") }
        if word == "NOT" {
            let end = text.offset
            if text.skipBlanks() > 0, beginsTerm {
                try enter()
                defer { depth -= 1 }
                return .not(try searchTerm())
            }
            text.offset = end
        }
        guard text.next.map({ $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ")") || isEndOfOption($0) }) ?? true
        else {
            throw text.error("This character needs quotes around it.", at: max(start, text.offset))
        }
        return .word(word)
    }

    /// Whether an operator stands here, with blanks around it and a term after it.
    private func isOperator(_ word: StaticString) -> Bool {
        var copy = self.text
        guard copy.skipBlanks() > 0 else { return false }
        let count = word.utf8CodeUnitCount
        for distance in 0..<count {
            guard unsafe copy.byte(distance) == word.utf8Start[distance] else { return false }
        }
        copy.offset += count
        guard copy.skipBlanks() > 0 else { return false }
        return Self.beginsTerm(copy)
    }

    private mutating func passOperator(_ word: StaticString) {
        text.skipBlanks()
        text.offset += word.utf8CodeUnitCount
        text.skipBlanks()
    }

    private var beginsTerm: Bool { Self.beginsTerm(text) }

    private static func beginsTerm(_ text: TextScanner) -> Bool {
        guard let byte = text.next else { return false }
        return byte == UInt8(ascii: "(") || byte == UInt8(ascii: "\"")
            || byte != UInt8(ascii: "'") && isWordByte(byte, isEncoded: text.isEncoded())
    }

    private func isEndOfOption(_ byte: UInt8) -> Bool {
        level > 0 && byte == UInt8(ascii: ";") && !text.isEncoded()
    }

    private mutating func searchPhrase() throws(ODataError) -> String {
        let start = text.offset
        text.offset += 1
        while let byte = text.next, byte != UInt8(ascii: "\"") { text.offset += 1 }
        let phrase = String(decoding: text.bytes[(start + 1)..<text.offset], as: UTF8.self)
        guard text.skip("\""), !phrase.isEmpty else { throw text.error("The phrase does not end.") }
        return phrase
    }

    private mutating func searchWord() -> String? {
        let start = text.offset
        guard text.next != UInt8(ascii: "'") else { return nil }
        while let byte = text.next, Self.isWordByte(byte, isEncoded: text.isEncoded()) { text.offset += 1 }
        guard text.offset > start else { return nil }
        return String(decoding: text.bytes[start..<text.offset], as: UTF8.self)
    }

    /// Anything but blanks, parentheses, double quotes, and semicolons that are not encoded.
    private static func isWordByte(_ byte: UInt8, isEncoded: Bool) -> Bool {
        switch byte {
        case 0...0x20, 0x7F, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\""): false
        case UInt8(ascii: ";"), UInt8(ascii: "#"), UInt8(ascii: "&"): isEncoded
        default: true
        }
    }
}
